from .live import Live as Live
from .options import ViewOptions as ViewOptions
from .player import Player as Player
from .replay import Replay as Replay
from .source import Frame as Frame
from .source import Source as Source
