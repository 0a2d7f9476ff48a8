"""What is drawn in pictures, for expressions in a page."""

import base64
import json


def images(*pictures):
    """An expression that waits for the ImageData of each PNG."""
    data = json.dumps([base64.b64encode(picture).decode() for picture in pictures])
    return f"""await Promise.all({data}.map(async (one) => {{
        const image = new Image();
        image.src = 'data:image/png;base64,' + one;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width; canvas.height = image.height;
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
    }}))"""
