import Foundation
import MultipeerConnectivity
import Synchronization

/// Two computer players over loopback, who each count what they see.
enum Bots {
    /// What one bot has seen of a game: how it ended and the board.
    typealias Seen = Match.Screen

    /// Plays so many games, and gives what each side has seen of each.
    ///
    /// - Parameter invite: Connects the two sessions.
    static func play(
        _ count: Int, _ one: MCSession, _ two: MCSession,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable,
        skills: (ComputerPlayer.Skill, ComputerPlayer.Skill) = (.careless, .careless),
        invite: () async throws -> Void
    ) async throws -> (one: [Seen], two: [Seen]) {
        let (first, second) = (SeenGames(count), SeenGames(count))
        let matches = zip([one, two], [(first, skills.0), (second, skills.1)]).map { session, side in
            Match(session, options(ComputerPlayer(skill: side.1), side.0, random))
        }
        let listening = matches.map { $0.listen() }
        defer { for task in listening { task.cancel() } }
        try await invite()
        await withTaskGroup(of: Void.self) { group in
            for match in matches { group.addTask { await match.run(isInviting: false) } }
        }
        return (first.all, second.all)
    }

    private static func options(
        _ player: ComputerPlayer, _ seen: SeenGames,
        _ random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable
    ) -> Match.Options {
        Match.Options(player: player, sleep: { _ in await Task.yield() }, random: random, goesOn: { seen.add($0) })
    }

    private final class SeenGames: Sendable {
        private let count: Int
        private let games = Mutex<[Seen]>([])

        init(_ count: Int) { self.count = count }

        var all: [Seen] { games.withLock { $0 } }

        /// Whether more games are to be played.
        func add(_ game: Seen) -> Bool {
            games.withLock { games in
                games.append(game)
                return games.count < count
            }
        }
    }
}
