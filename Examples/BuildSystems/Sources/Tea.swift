import API
import Registry

#contribute(.prices) { { 3 } }
