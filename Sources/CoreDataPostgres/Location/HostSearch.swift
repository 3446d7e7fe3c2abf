import CoreDataSQL
import PostgresKit

/// Finds among several hosts the first that is as it is wanted, each of which has its own time: a machine that is gone does not
/// answer at all.
struct HostSearch {
    /// How long one of several hosts may take.
    private static let patience = Duration.seconds(3)
    /// What a program gets that names several hosts and nothing else: a server that takes writes, and within seconds the news
    /// that its machine is gone. Source: PostgreSQL 15, section 34.1.2 of its documentation.
    private static let usual = [
        "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
    ]

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

    /// Gives the parameters of several hosts what is not given.
    static func complete(
        _ parameters: inout ConnectionParameters, _ given: ConnectionParameters, _ environment: [String: String]
    ) {
        if given["target_session_attrs"] == nil, environment["PGTARGETSESSIONATTRS"] == nil {
            parameters.set("target_session_attrs", "read-write")
        }
        for (keyword, value) in usual where given[keyword] == nil { parameters.set(keyword, value) }
    }

    /// Connects to the first.
    ///
    /// - Throws: what was most telling of what the hosts said: rather that a password is wrong than that a server is down.
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
