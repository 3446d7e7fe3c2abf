import Dispatch

/// The operations whose daemon was lost, and the looks whether it runs again. Used on the module's queue alone.
///
/// The bus does not say that a daemon is back to who asked the one before, so it is looked for: after a second at first, and after half a minute
/// at most, by one connection for all that wait.
enum DaemonReturn {
    nonisolated(unsafe) private static var waiting: [ObjectIdentifier: any DaemonConnection.Member] = [:]
    nonisolated(unsafe) private static var isLooking = false
    private static let longest = 30

    /// Calls `daemonReturned` once the daemon runs again, unless the member gives up before.
    static func wait(for member: any DaemonConnection.Member) {
        waiting[ObjectIdentifier(member)] = member
        guard !isLooking else { return }
        isLooking = true
        look(after: 1)
    }

    static func giveUp(_ member: any DaemonConnection.Member) { waiting[ObjectIdentifier(member)] = nil }

    private static func look(after seconds: Int) {
        DiscoveryQueue.queue.asyncAfter(deadline: .now() + .seconds(seconds)) {
            guard !waiting.isEmpty else {
                isLooking = false
                return
            }
            guard DaemonConnection.isPossible() else { return look(after: min(longest, seconds * 2)) }
            isLooking = false
            let members = waiting.values
            waiting = [:]
            for member in members { member.daemonReturned() }
        }
    }
}
