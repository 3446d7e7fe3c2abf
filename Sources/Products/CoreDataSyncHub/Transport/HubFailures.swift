import CoreDataSyncing
import CoreDataTransfer

/// Makes errors of sync of what goes wrong with a hub.
struct HubFailures: Sendable {
    /// How the hub is shown.
    let title: String
    /// The pin of this device; nil over plain HTTP.
    let ownPin: KeyPin?

    private static let later = "Nothing is lost, and the next exchange goes on."

    static let unreadableList = SyncError(
        .transport, "its answer is no list of items",
        cure: "See that the address is of a hub of 'coredata sync serve', in a version that this one knows.")

    static func wrongLength(_ count: Int, of size: Int) -> SyncError {
        SyncError(
            .transport, "it sent \(count) bytes of an item of \(size)",
            cure: "Exchange again; if the count is wrong again, check the hub and what lies between.")
    }

    /// Carries out an action; what it throws says what could not be done with which hub.
    func naming<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            let (reason, cure) = explanation(error)
            throw SyncError(.transport, "Cannot \(action) of the hub \(title): \(reason).", cure: cure)
        }
    }

    private func explanation(_ error: any Error) -> (reason: String, cure: String) {
        if let error = error as? SyncError { return (error.description, error.cure) }
        guard let error = error as? TransferError else { return ("\(error)", Self.later) }
        return switch error.code {
        case .status(let status): explanation(status)
        case .insecureConnection:
            (
                "it does not have the key of the address, or no secure connection can be made: \(error.reason)",
                "Compare the address with what 'coredata sync serve' prints on the hub."
            )
        case .cannotConnect, .hostNotFound, .connectionLost, .timedOut, .incompleteBody:
            ("it cannot be reached: \(error.reason)", "Check the network, and whether the hub runs. " + Self.later)
        case .bodyTooLarge:
            ("it sends more than was asked for", "Check the hub, and what lies between; nothing was applied.")
        default: (error.reason, "Check the hub, and what lies between; nothing was applied.")
        }
    }

    private func explanation(_ status: Int) -> (reason: String, cure: String) {
        switch status {
        case 300..<400: ("it refers to another place", "Write the address of the hub itself.")
        case 401, 403:
            (
                "it does not admit the key of this device"
                    + (ownPin.map { ", whose pin is \($0)" } ?? ""),
                "On the hub run 'coredata sync admit PIN --data DIR'."
            )
        case 413: ("the item is larger than it takes", "Save less at once, or let the hub take larger items.")
        case 507:
            ("it has no room left", "Raise the hub's quota, or make room on its disk. " + Self.later)
        case 429, 503: ("it ends, or has too much to do", Self.later)
        default: ("it answers \(status)", "Check the hub and its version. " + Self.later)
        }
    }
}
