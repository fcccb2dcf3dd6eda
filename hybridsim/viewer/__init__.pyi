from .browser.html import show as show, write_html as write_html
from .live import Live as Live
from .options import ViewOptions as ViewOptions
from .player import Player as Player
from .replay import Replay as Replay
from .source import RunFrame as RunFrame
from .source import Source as Source
