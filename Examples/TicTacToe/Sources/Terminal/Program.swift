import Foundation
import LoopbackService
import MultipeerConnectivity

/// Tic-Tac-Toe between two machines, or against the computer, in the terminal or on a page.
@main
struct Program {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            switch (words.first, words.count) {
            case ("bots", 2): try await bots(try number(words[1]))
            case ("demo", 1): try await bots(10)
            case ("games", 2): try await games(at: words[1])
            case ("play", 3...): try await Player(Arguments(Array(words.dropFirst()))).play()
            default: throw Usage()
            }
        } catch {
            FileHandle.standardError.write(Data("tictactoe: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), (1...100_000).contains(number) else { throw Usage() }
        return number
    }

    /// Two computer players over loopback.
    private static func bots(_ count: Int) async throws {
        let sessions = ["one", "two"].map { MCSession(peer: MCPeerID(displayName: $0)) }
        let invite: () async throws -> Void = {
            let other = sessions[1]
            other.endpoint.setInvitationHandler { $0.answer(true, session: other) }
            let port = try other.endpoint.listen()
            _ = try await sessions[0].invite(at: [PeerAddress(host: "127.0.0.1", port: port)])
        }
        let seen = try await Bots.play(
            count, sessions[0], sessions[1], random: { SystemRandomNumberGenerator() }, invite: invite)
        let agreed = zip(seen.one, seen.two).filter { $0.pieces == $1.pieces }.count
        for label in ["You Won!", "Opponent Won!", "Cat Wins!"] {
            print("\(label) \(seen.one.filter { $0.label == label }.count)")
        }
        print("\(agreed) of \(count) games ended alike on both sides")
    }

    private static func games(at path: String) async throws {
        for line in try GameRecords(at: URL(fileURLWithPath: path)).results() { print(line) }
    }
}

struct Usage: Error, CustomStringConvertible {
    let description = """
        usage: tictactoe demo | bots COUNT | games STORE
               tictactoe play STORE NAME [host [PORT] | join HOST:PORT | find] [--computer] [--page]
        """
}
