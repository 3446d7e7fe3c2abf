import CoreDataSQL
import PostgresKit

/// Finds the first of several hosts that meets the requirements. Each host has its own time limit, since an unreachable machine does not
/// answer at all.
struct HostSearch {
    /// How long one of several hosts may take.
    private static let patience = Duration.seconds(3)
    /// How TCP finds out that a machine is gone, unless the URL says otherwise: of one server within about half a minute, in place of
    /// hours, and within seconds where another host can take its place. Source: PostgreSQL 15, section 34.1.2 of its documentation.
    static func keepalives(ofSeveral hasSeveralHosts: Bool) -> [String: String] {
        hasSeveralHosts
            ? [
                "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
                "tcp_user_timeout": "10000",
            ]
            : [
                "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "4",
                "tcp_user_timeout": "30000",
            ]
    }

    private let candidates: [ConnectionParameters]

    init(_ parameters: ConnectionParameters) {
        let hosts = parameters.ofEachHost
        guard hosts.count > 1, parameters["target_session_attrs"] == "prefer-standby" else {
            candidates = hosts
            return
        }
        candidates = ["standby", "any"].flatMap { wanted in
            hosts.map { host in
                var host = host
                host.set("target_session_attrs", wanted)
                return host
            }
        }
    }

    /// Connects to the first.
    ///
    /// - Throws: the most informative error of the hosts: a wrong password rather than a server that is down.
    func open(timeout: Duration) throws(PostgresError) -> PostgresConnection {
        let end = ContinuousClock.now + timeout
        var failure: PostgresError?
        for candidate in candidates {
            let left = end - .now
            if failure != nil, left <= .zero { break }
            do throws(PostgresError) {
                return try PostgresConnection.open(
                    candidate, timeout: candidates.count == 1 ? timeout : min(left, Self.patience))
            } catch {
                if failure?.sqlState == nil { failure = error }
            }
        }
        throw failure ?? PostgresError(.timedOut, "the server did not answer in time", attempt: "connect")
    }
}
