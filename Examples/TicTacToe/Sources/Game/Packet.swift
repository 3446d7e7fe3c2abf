import MultipeerConnectivity

/// What the two sides send each other.
struct Packet: Codable, Equatable, Sendable {
    enum Kind: Int, Codable, Sendable {
        case dieRoll = 0
        case ack = 1
        case move = 2
        case reset = 3
    }

    let type: Kind
    /// 0 to 999,999 in a roll and in the word that it came; nil otherwise.
    var dieRoll: Int?
    /// 1000 to 1008 in a move; nil otherwise.
    var space: Int?

    static let reset = Packet(type: .reset)
    static func roll(_ number: Int) -> Packet { Packet(type: .dieRoll, dieRoll: number) }
    static func ack(_ number: Int) -> Packet { Packet(type: .ack, dieRoll: number) }
    static func move(_ space: Int) -> Packet { Packet(type: .move, space: space) }

    /// How packets travel: programs of other versions and languages read them too.
    static let format = MessageFormat<Packet>("oz-tictactoe.packet", version: 1, limit: 1_024)
}
