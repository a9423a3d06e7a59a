from signup.wiring import wire

__all__ = ["wire"]
