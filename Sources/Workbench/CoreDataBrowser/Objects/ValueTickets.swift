import Synchronization

/// Addresses of values for media elements, which cannot send the secret of their tab: an address cannot be guessed, is valid in one
/// session only, and for one value.
final class ValueTickets: Sendable {
    /// Whose an address is.
    enum Owner: Equatable {
        case session(String)
        case user(String)
    }

    /// What a ticket gives.
    typealias Opening = @Sendable () async throws -> ValueBytes

    private struct Ticket {
        let owner: Owner
        let open: Opening
    }

    /// The most tickets; of more, the oldest end.
    private static let limit = 500
    private let tickets = Mutex<(byName: [String: Ticket], names: [String])>(([:], []))

    /// A new name for a value.
    func add(_ owner: Owner, _ open: @escaping Opening) -> String {
        let name = Secret.random()
        tickets.withLock { tickets in
            tickets.byName[name] = Ticket(owner: owner, open: open)
            tickets.names.append(name)
            if tickets.names.count > Self.limit { tickets.byName[tickets.names.removeFirst()] = nil }
        }
        return name
    }

    /// The value of a name; nil if there is no such ticket of the owner.
    func opening(_ name: String, _ owner: Owner) -> Opening? {
        tickets.withLock { tickets in
            guard let ticket = tickets.byName[name], ticket.owner == owner else { return nil }
            return ticket.open
        }
    }
}
