/// Why a server cannot listen.
package struct ListeningError: Error, Sendable {
    /// What went wrong.
    package let reason: String
    /// What to do about it.
    package let hint: String

    package init(_ reason: String, hint: String) { (self.reason, self.hint) = (reason, hint) }
}
