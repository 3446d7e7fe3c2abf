import CAvahi

/// What the daemon's codes mean to who asked for something.
enum DaemonFailure {
    /// How to go on without discovery.
    static let way = "or connect by address (host and port), which needs no discovery"

    /// - Parameter attempt: What could not be done, as `the service cannot be announced`.
    static func error(_ code: Int32, _ attempt: String) -> DiscoveryError {
        switch code {
        case AvahiCode.noDaemon:
            DiscoveryError(.daemonMissing, "\(attempt): no Avahi daemon runs", hint: start)
        case AvahiCode.bus:
            DiscoveryError(
                .daemonMissing,
                "\(attempt): the system bus (D-Bus), by which the Avahi daemon is asked, cannot be reached",
                hint: "install the packages dbus and avahi-daemon and start both, \(way)")
        case AvahiCode.disconnected:
            DiscoveryError(.daemonLost, "\(attempt): the Avahi daemon has ended", hint: start)
        case AvahiCode.collision:
            DiscoveryError(
                .collision, "\(attempt): another service has its name",
                hint: "choose another name, or let it be changed")
        case AvahiCode.timeout:
            DiscoveryError(.timedOut, "\(attempt): nothing answered", hint: "the service may be gone; browse again")
        default:
            DiscoveryError(
                .refused(code), "\(attempt): the Avahi daemon says '\(String(cString: cavahi_message(code)))'",
                hint: "look at the daemon's log (journalctl -u avahi-daemon), \(way)")
        }
    }

    private static let start =
        "install the package avahi-daemon and start it (systemctl start avahi-daemon), \(way)"
}
