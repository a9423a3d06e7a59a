"""The receipt of a cart as text."""


def amount(cents):
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def line(label, cents):
    return f"{label:<12}{amount(cents):>10}"


def receipt(cart):
    """One line per item, the coupon if there is one, and the total."""
    lines = [line(f"{quantity} {name}", price * quantity) for name, price, quantity in cart.items]
    if cart.coupon is not None:
        label = f"Coupon {cart.coupon.percent}%" if cart.coupon.percent else "Coupon"
        lines.append(line(label, -cart.discount()))
    lines.append(line("Total", cart.total()))
    return "\n".join(lines)
