import Foundation

/// Plays on after a link was lost: who invites waits until the player asks for a new game, who was invited waits for the next opponent too.
struct Rounds: Sendable {
    let match: Match
    /// Connects; true if this side has invited.
    let connect: @Sendable () async throws -> Bool
    let show: @Sendable (Match.Screen) -> Void

    /// Plays until the task is cancelled.
    ///
    /// - Throws: Why the first connection was not made; later ones are failures that the player sees.
    func play(keeping records: GameRecords? = nil) async throws {
        var isInviting = try await connect()
        while !Task.isCancelled {
            await match.run(keeping: records, isInviting: isInviting)
            guard isInviting else { continue }
            while await match.isNewGameWanted() {
                do {
                    isInviting = try await connect()
                    break
                } catch {
                    show(Match.Screen.unconnected("\(error)"))
                }
            }
        }
    }
}

extension Match.Screen {
    /// What a player sees whose opponent cannot be reached.
    static func unconnected(_ reason: String) -> Match.Screen {
        var screen = Match.Screen()
        screen.alert = Game.lostLink
        screen.notes = [reason]
        return screen
    }
}
