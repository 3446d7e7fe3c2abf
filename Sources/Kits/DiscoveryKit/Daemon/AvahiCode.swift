import CAvahi

/// Constants of the library, in the types of its functions.
enum AvahiCode {
    static let failure = Int32(AVAHI_ERR_FAILURE)
    static let collision = Int32(AVAHI_ERR_COLLISION)
    static let timeout = Int32(AVAHI_ERR_TIMEOUT)
    static let system = Int32(AVAHI_ERR_OS)
    static let bus = Int32(AVAHI_ERR_DBUS_ERROR)
    static let disconnected = Int32(AVAHI_ERR_DISCONNECTED)
    static let noDaemon = Int32(AVAHI_ERR_NO_DAEMON)

    static let unspecified = AvahiProtocol(AVAHI_PROTO_UNSPEC)
    static let ipv4 = AvahiProtocol(AVAHI_PROTO_INET)
    static let ipv6 = AvahiProtocol(AVAHI_PROTO_INET6)
}
