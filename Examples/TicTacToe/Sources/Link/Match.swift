import Foundation
import MultipeerConnectivity

/// A series of games with one opponent over a session: what comes from the network, the player and the clock goes into the game one after
/// the other, and what the game wants is done.
final class Match: Sendable {
    enum Input: Sendable {
        case connected(MCPeerID)
        case offered(GameRecords.Unfinished)
        case packet(Packet)
        case unreadable(String)
        case touch(Int)
        case beginning
        /// The player has read that the link was lost, and wants to play again.
        case newGame
        case left(isDeliberate: Bool)
    }

    /// What a player sees.
    struct Screen: Sendable, Equatable {
        var label = ""
        var pieces = [Board.Piece?](repeating: nil, count: 9)
        var opponent: String?
        var isOwnTurn = false
        var offersNewGame = true
        /// Title, message and button.
        var alert: [String] = []
        /// What the other side did against the rules, and what could not be stored.
        var notes: [String] = []
    }

    struct Options: Sendable {
        /// Who plays on this side; nil for a person, who touches squares.
        var player: ComputerPlayer?
        /// Waits between games, and before a move of the computer.
        var sleep: @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
        /// Gives the rolls, and the computer's choices.
        var random: @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
        /// Called with each new screen.
        var show: @Sendable (Screen) -> Void = { _ in }
        /// Called when a game is over; the match ends when it returns false.
        var goesOn: @Sendable (Screen) -> Bool = { _ in true }
    }

    private let session: MCSession
    private let options: Options
    /// Inputs with the peer that they come from; nil for those of this side.
    private let inputs: AsyncStream<(peer: MCPeerID?, input: Input)>
    private let input: AsyncStream<(peer: MCPeerID?, input: Input)>.Continuation

    init(_ session: MCSession, _ options: Options) {
        (self.session, self.options) = (session, options)
        (inputs, input) = AsyncStream.makeStream(of: (peer: MCPeerID?, input: Input).self)
    }

    /// Gives the match something to handle.
    func give(_ input: Input) { self.input.yield((nil, input)) }

    /// Begins to hear the session; before it connects.
    func listen() -> Task<Void, Never> {
        Task { [events = session.events, input] in
            for await event in events {
                switch event {
                case .state(let peer, .connected, _): input.yield((peer, .connected(peer)))
                case .state(let peer, .notConnected, let reason):
                    input.yield((peer, .left(isDeliberate: reason == nil)))
                case .message(let message):
                    do {
                        guard let packet = try message.value(as: Packet.format) else {
                            throw CocoaError(.coderReadCorrupt)
                        }
                        input.yield((message.peer, .packet(packet)))
                    } catch {
                        input.yield((message.peer, .unreadable("\(error)")))
                    }
                default: break
                }
            }
        }
    }

    /// Waits until the player wants a new game, and leaves aside what else comes; false if the task is cancelled.
    func isNewGameWanted() async -> Bool {
        for await (_, input) in inputs { if case .newGame = input { return true } }
        return false
    }

    /// Plays until the opponent has gone or does not come, or the match is to end.
    ///
    /// - Parameter isInviting: Whether this side has invited the other.
    func run(keeping records: GameRecords? = nil, isInviting: Bool) async {
        var state = MatchState(random: options.random(), records: records, isInviting: isInviting)
        for await (peer, input) in inputs {
            // Others may try to connect while a game is played.
            if let peer, let opponent = state.opponent, peer != opponent { continue }
            // To who waits to be invited others come and go.
            if case .left = input, state.opponent == nil, !isInviting { continue }
            for effect in state.handle(input) { perform(effect, &state) }
            options.show(state.screen)
            if state.game.state == .done, !state.isReported {
                state.isReported = true
                guard options.goesOn(state.screen) else { return }
            }
            if state.opponent == nil {
                guard case .left = input else { continue }
                return
            }
            choose(&state)
        }
    }

    private func perform(_ effect: Game.Effect, _ state: inout MatchState) {
        switch effect {
        case .send(let packet):
            guard let opponent = state.opponent else { return }
            // A connection that was lost is reported by the session.
            try? session.send(packet, as: Packet.format, toPeers: [opponent])
        case .beginAfter(let seconds): after(seconds, .beginning)
        case .alert(let title, let message, let button): state.screen.alert = [title, message, button]
        case .refused(let what): state.note("refused: \(what)")
        }
    }

    private func after(_ seconds: Double, _ next: Input) {
        Task { [sleep = options.sleep, input] in
            await sleep(seconds)
            input.yield((nil, next))
        }
    }

    /// The computer's move, on its turn.
    private func choose(_ state: inout MatchState) {
        guard let player = options.player, state.game.state == .myTurn, let piece = state.game.piece,
            let square = player.move(on: state.game.board, as: piece, using: &state.random)
        else { return }
        after(0, .touch(square))
    }
}
