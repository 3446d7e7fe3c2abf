/// Why services cannot be announced or found.
package struct DiscoveryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failures.
    package enum Code: Sendable, Equatable {
        /// The name of a service is empty, too long, or has control characters.
        case invalidName
        /// The type of a service does not follow the rules of RFC 6335.
        case invalidType
        /// The domain is not a name of DNS.
        case invalidDomain
        /// A TXT record, or one of its entries, is too long or malformed.
        case invalidText
        /// Avahi's client library is not installed.
        case libraryMissing
        /// No Avahi daemon runs, or there is no system bus to reach it by.
        case daemonMissing
        /// The daemon ended, or closed the connection.
        case daemonLost
        /// Another service has the name, and it was not to be changed.
        case collision
        /// Nothing answered in the given time.
        case timedOut
        /// The daemon refused the request, with its code.
        case refused(Int32)
    }

    /// The kind of failure.
    package let code: Code
    /// What happened, in a sentence for people.
    package let reason: String
    /// What to do about it.
    package let hint: String

    package init(_ code: Code, _ reason: String, hint: String) {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    package var description: String { "\(reason); \(hint)" }
}
