import CoreDataSQL
import PostgresKit

/// Finds the first of several hosts that meets the requirements. Each host has its own time limit, since an unreachable
/// machine does not answer at all.
struct HostSearch {
    /// The time limit for each of several hosts.
    private static let patience = Duration.seconds(3)
    /// TCP keepalive parameters for what the URL does not set: a dead machine is detected within about half a minute
    /// instead of hours, and within seconds if another host can replace it. Source: PostgreSQL 15 documentation,
    /// section 34.1.2.
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

    /// Connects to the first host that meets the requirements.
    ///
    /// - Throws: the most informative error of all hosts: one that a server reported rather than a failed connection.
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
