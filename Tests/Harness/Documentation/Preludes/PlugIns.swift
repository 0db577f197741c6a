let path = "libPromotion.so"
