"""Pages that are served while something is done with them; aiohttp must be installed."""

import asyncio
from urllib.parse import urlsplit

from hybridsim import simulate
from hybridsim.viewer import Replay, web

from waiting import PATIENCE


def pages(runs=1, **settings):
    return [
        web.WebPage([Replay(simulate("projectile", final_time=0.5))], on_ready=lambda _: None, **settings)
        for _ in range(runs)
    ]


def while_served(page, use):
    """Return `use(address)`, awaited while the page is played."""

    async def steps():
        address = await page.start()
        playing = asyncio.create_task(page.play())
        try:
            return await use(address)
        finally:
            page.close()
            await playing

    return asyncio.run(asyncio.wait_for(steps(), PATIENCE))


async def is_open(page):
    await asyncio.sleep(0.2)
    return page._feed.open


def own_origin(address):
    return f"http://{urlsplit(address).netloc}"
