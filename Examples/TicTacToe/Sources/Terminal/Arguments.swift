import Foundation
import MultipeerConnectivity

/// What the command `play` was given.
struct Arguments {
    enum Way {
        /// Waits for an invitation, visible on the network and at a port.
        case host(UInt16)
        case join(PeerAddress)
        /// Invites the first player that is visible.
        case find
    }

    let store: URL
    let name: String
    let way: Way
    let isComputer: Bool
    let showsPage: Bool

    init(_ words: [String]) throws {
        isComputer = words.contains("--computer")
        showsPage = words.contains("--page")
        let words = words.filter { !$0.hasPrefix("--") }
        guard words.count >= 3 else { throw Usage() }
        (store, name) = (URL(fileURLWithPath: words[0]), words[1])
        switch (words[2], words.count) {
        case ("host", 3): way = .host(0)
        case ("host", 4):
            guard let port = UInt16(words[3]) else { throw Usage() }
            way = .host(port)
        case ("join", 4):
            guard let address = PeerAddress(words[3]) else { throw Usage() }
            way = .join(address)
        case ("find", 3): way = .find
        default: throw Usage()
        }
    }
}
