import Foundation
import LoopbackService
import MultipeerConnectivity
import PeerTestSupport
import Synchronization
import TestBasics
import Testing

@testable import TicTacToeSample

/// The example TicTacToe: its rules by the words of the checklist, games of two bots, and games that are gone on with.
@Suite("TicTacToe", .timeLimit(.minutes(10)))
struct TicTacToeTests {
    /// Two sides, and what is on its way between them.
    private struct Sides {
        var games = [Game(), Game()]
        var mail: [[Packet]] = [[], []]
        var rolls: [[Int]]
        var refused: [[String]] = [[], []]
        var dueAgain = [false, false]

        init(_ one: [Int], _ two: [Int]) { rolls = [one, two] }

        mutating func begin(_ side: Int) {
            var left = rolls[side]
            take(games[side].begin { left.removeFirst() }, side)
            rolls[side] = left
        }

        mutating func deliver(_ index: Int, to side: Int) {
            let packet = mail[side].remove(at: index)
            var left = rolls[side]
            take(games[side].receive(packet) { left.removeFirst() }, side)
            rolls[side] = left
        }

        mutating func touch(_ square: Int, _ side: Int) { take(games[side].touch(square), side) }

        private mutating func take(_ effects: [Game.Effect], _ side: Int) {
            for effect in effects {
                switch effect {
                case .send(let packet): mail[1 - side].append(packet)
                case .refused(let what): refused[side].append(what)
                case .beginAfter: dueAgain[side] = true
                case .alert: break
                }
            }
        }

        mutating func deliverAll() {
            while let side = (0...1).first(where: { !mail[$0].isEmpty }) { deliver(0, to: side) }
        }

        /// Plays a game to its end, each side taking the first free square.
        mutating func playOut() {
            while let side = (0...1).first(where: { games[$0].state == .myTurn }) {
                touch(games[side].board.free[0], side)
                deliverAll()
            }
        }
    }

    @Test(
        "every order in which Reset, DieRoll and Ack arrive leads into the game, also after ties (SAMPLE-14)",
        arguments: 0..<400)
    func everyOrderLeadsToPlay(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let ties = Int.random(in: 0...2, using: &random)
        let same = (0..<ties).map { 100 + $0 }
        var sides = Sides(same + [7, 8], same + [9, 1])
        sides.begin(0)
        if Bool.random(using: &random) {
            sides.begin(1)
        } else {
            while !sides.mail[1].isEmpty {
                sides.deliver(Int.random(in: 0..<sides.mail[1].count, using: &random), to: 1)
            }
            sides.begin(1)
        }
        while let side = [0, 1].shuffled(using: &random).first(where: { !sides.mail[$0].isEmpty }) {
            // After a tie two rolls of one side may be on their way, which a connection keeps in order.
            let count = ties == 0 ? sides.mail[side].count : 1
            sides.deliver(Int.random(in: 0..<count, using: &random), to: side)
        }
        #expect(sides.games.map(\.state) == [.opponentTurn, .myTurn])
        #expect(sides.games.map(\.piece) == [.x, .o])
        #expect(sides.refused == [[], []])
    }

    @Test(
        "the next game begins whichever side's three seconds end first, in every order (SAMPLE-14)", arguments: 0..<400)
    func nextGameBegins(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var sides = Sides([1, 5, 6], [2, 3, 4])
        sides.begin(0)
        sides.begin(1)
        sides.deliverAll()
        sides.playOut()
        #expect(sides.games.map(\.state) == [.done, .done])
        #expect(sides.dueAgain == [true, true])
        var waiting = [0, 1].shuffled(using: &random)
        while !waiting.isEmpty || sides.mail != [[], []] {
            let ready = (0...1).filter { !sides.mail[$0].isEmpty }
            if !waiting.isEmpty, ready.isEmpty || Bool.random(using: &random) {
                sides.begin(waiting.removeFirst())
            } else if let side = ready.randomElement(using: &random) {
                sides.deliver(Int.random(in: 0..<sides.mail[side].count, using: &random), to: side)
            }
        }
        #expect(sides.games.map(\.state) == [.myTurn, .opponentTurn])
        #expect(sides.games.allSatisfy { $0.board == Board() })
    }

    @Test("moves count on the own turn and on a free square, and a peer's others are refused and reported (SAMPLE-14)")
    func movesFollowTheRules() {
        var sides = Sides([5], [2])
        sides.begin(0)
        sides.begin(1)
        sides.deliverAll()
        sides.touch(1_004, 1)
        #expect(sides.mail == [[], []])
        sides.touch(1_004, 0)
        sides.deliverAll()
        #expect(sides.games[1].label == "Your Turn")
        #expect(sides.games[0].label == "Opponent's Turn")
        sides.touch(1_004, 1)
        sides.touch(1_009, 1)
        sides.touch(-1, 1)
        #expect(sides.games[1].moves == [1_004])
        let before = sides.games[0]
        for packet in [
            Packet.move(1_004), .move(999), .ack(17), .roll(3), Packet(type: .move), Packet(type: .dieRoll),
            .roll(1_000_000), .roll(-1),
        ] {
            sides.mail[0] = [packet]
            sides.deliver(0, to: 0)
        }
        #expect(sides.games[0] == before)
        #expect(sides.refused[0].count == 8)
        #expect(sides.refused[0].contains { $0.contains("cheating") })
        sides.mail[1] = [.move(1_000)]
        sides.deliver(0, to: 1)
        #expect(sides.refused[1].first?.contains("out of turn") == true)
    }

    @Test("eight lines win, and nine moves without one are the cat's (SAMPLE-14)")
    func endsAreNamed() {
        var wins = 0
        for set in 0..<512 where set.nonzeroBitCount == 3 {
            var board = Board()
            for index in 0..<9 where set >> index & 1 == 1 { _ = board.put(.x, on: 1_000 + index) }
            wins += board.winner == .x ? 1 : 0
        }
        #expect(wins == 8)
        func end(_ moves: [Int]) -> [String] {
            var sides = Sides([5], [2])
            sides.begin(0)
            sides.begin(1)
            sides.deliverAll()
            for (number, move) in moves.enumerated() {
                sides.touch(1_000 + move, number % 2)
                sides.deliverAll()
            }
            return sides.games.map(\.label)
        }
        #expect(end([0, 3, 1, 4, 2]) == ["You Won!", "Opponent Won!"])
        #expect(end([0, 3, 1, 4, 8, 5]) == ["Opponent Won!", "You Won!"])
        #expect(end([0, 1, 2, 4, 3, 5, 7, 6, 8]) == ["Cat Wins!", "Cat Wins!"])
    }

    @Test("a lost connection is reported and clears the board, a deliberate end is silent (SAMPLE-14)")
    func endOfConnection() {
        var sides = Sides([5], [2])
        sides.begin(0)
        sides.begin(1)
        sides.deliverAll()
        var lost = sides.games[0]
        #expect(
            lost.disconnect(isDeliberate: false)
                == [.alert(title: "Error Connecting", message: "Unable to establish connection", button: "Bummer")])
        #expect(lost.state == .interrupted)
        #expect(lost.offersNewGame)
        #expect(lost.board == Board())
        #expect(sides.games[1].disconnect(isDeliberate: true).isEmpty)
        #expect(sides.games[1].state == .beginning)
    }

    @Test("the computer never loses against one that takes any square (SAMPLE-14)")
    func computerNeverLoses() {
        var random = SeededRandom(seed: TestSeed.first)
        for number in 0..<12 {
            var board = Board()
            var piece = Board.Piece.o
            let computer: Board.Piece = number % 2 == 0 ? .o : .x
            while !board.isOver {
                let skill: ComputerPlayer.Skill = piece == computer ? .perfect : .careless
                guard let square = ComputerPlayer(skill: skill).move(on: board, as: piece, using: &random) else {
                    break
                }
                let isPut = board.put(piece, on: square)
                #expect(isPut)
                piece = piece.other
            }
            #expect(board.isOver)
            #expect(board.winner != computer.other)
        }
    }

    @Test("two bots play 1,000 games whose links are cut at random, and agree on each result (SAMPLE-14, TEST-03)")
    func botsAgree() async throws {
        let network = ScriptedPeerNetwork(seed: TestSeed.first)
        let peers = ["one", "two"].map { MCPeerID(displayName: $0) }
        // Sessions made after it use the network.
        let endpoints = peers.map { network.add($0) }
        let sessions = peers.map { MCSession(peer: $0) }
        let cutting = Task {
            var random = SeededRandom(seed: TestSeed.first)
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
                network.cut(between: peers[0], and: peers[1])
            }
        }
        let interruptions = Mutex(0)
        let counting = Task { [events = sessions[0].events] in
            for await event in events { if case .interrupted = event { interruptions.withLock { $0 += 1 } } }
        }
        defer {
            cutting.cancel()
            counting.cancel()
        }
        let invite: () async throws -> Void = {
            let other = sessions[1]
            endpoints[1].setInvitationHandler { [weak other] in $0.answer(true, session: other) }
            try endpoints[1].listen()
            let address = try #require(network.address(of: peers[1]))
            _ = try await sessions[0].invite(at: [address])
        }
        let seen = try await Bots.play(
            1_000, sessions[0], sessions[1], random: { SystemRandomNumberGenerator() }, invite: invite)
        #expect(interruptions.withLock { $0 } > 0)
        #expect(seen.one.count == 1_000)
        #expect(seen.two.count == 1_000)
        #expect(seen.one.map(\.pieces) == seen.two.map(\.pieces))
        let other = ["You Won!": "Opponent Won!", "Opponent Won!": "You Won!", "Cat Wins!": "Cat Wins!"]
        #expect(seen.one.map(\.label) == seen.two.map { other[$0.label] ?? "" })
        #expect(Set(seen.one.map(\.label)).count == 3)
        #expect(seen.one.flatMap(\.notes) == [])
    }

    @Test("a game that was cut off is gone on with where the further side was, and is stored once (SAMPLE-14)")
    func gamesAreResumed() async throws {
        let folder = try TemporaryFolder()
        let records = try ["one", "two"].map { try GameRecords(at: folder.url.appendingPathComponent("\($0).sqlite")) }
        var sides = Sides([5], [2])
        sides.begin(0)
        sides.begin(1)
        sides.deliverAll()
        for (number, move) in [1_000, 1_004, 1_008].enumerated() {
            sides.touch(move, number % 2)
            if number < 2 { sides.deliverAll() }
        }
        // The last move of the one has not reached the other.
        try records[0].keep(sides.games[0], against: "two")
        try records[1].keep(sides.games[1], against: "one")

        var tables = [0, 1].map {
            MatchState(random: SystemRandomNumberGenerator(), records: records[$0], isInviting: $0 == 1)
        }
        let offer = try #require(GameRecords.offer(in: try records[1].offers(), to: "one"))
        _ = tables[0].handle(.offered(offer))
        let peers = ["one", "two"].map { MCPeerID(displayName: $0) }
        #expect(tables[1].handle(.connected(peers[0])) == [])
        let sent = tables[0].handle(.connected(peers[1]))
        #expect(sent == [.send(.move(1_008))])
        _ = tables[1].handle(.packet(.move(1_008)))
        #expect(tables[0].game.board == tables[1].game.board)
        #expect(tables.map(\.game.state) == [.opponentTurn, .myTurn])
        for (number, square) in [1_002, 1_006, 1_003, 1_007, 1_005, 1_001].enumerated()
        where !tables[0].game.board.isOver {
            let side = number % 2 == 0 ? 1 : 0
            guard tables[side].handle(.touch(square)).contains(.send(.move(square))) else {
                Issue.record("the move \(square) does not count")
                return
            }
            _ = tables[1 - side].handle(.packet(.move(square)))
        }
        #expect(try records[0].results().count == 1)
        #expect(try records[1].results().count == 1)
        #expect(try records[0].unfinished(against: "two") == nil)
    }

    @Test("who has lost its record begins a new game, and the other goes along (SAMPLE-14)")
    func lostRecordsBeginAgain() throws {
        let records = try [GameRecords(at: nil), GameRecords(at: nil)]
        var sides = Sides([5], [2])
        sides.begin(0)
        sides.begin(1)
        sides.deliverAll()
        sides.touch(1_000, 0)
        try records[1].keep(sides.games[1], against: "one")
        var tables = [0, 1].map {
            MatchState(random: SeededRandom(seed: UInt64($0 + 3)), records: records[$0], isInviting: $0 == 1)
        }
        var mail: [[Game.Effect]] = [
            tables[1].handle(.connected(MCPeerID(displayName: "one"))),
            tables[0].handle(.connected(MCPeerID(displayName: "two"))),
        ]
        // mail[n] is for side n.
        for _ in 0..<20 {
            for side in 0...1 {
                for case .send(let packet) in mail[side] {
                    mail[1 - side] += tables[side].handle(.packet(packet))
                }
                mail[side] = []
            }
        }
        #expect(Set(tables.map(\.game.state)) == [.myTurn, .opponentTurn])
        #expect(tables[0].game.board == Board())
        #expect(tables[1].game.board == Board())
    }

    @Test("the page shows the board, takes touches of its own form, and says what it does not take (SAMPLE-14)")
    func pageShowsTheBoard() throws {
        let touched = Mutex<[Int]>([])
        let page = GamePage { if case .touch(let square) = $0 { touched.withLock { $0.append(square) } } }
        var screen = Match.Screen()
        (screen.label, screen.opponent, screen.isOwnTurn) = ("Your Turn", "<b>&Co", true)
        screen.pieces[4] = .x
        page.show(screen)
        func ask(_ method: String, _ path: [String], _ body: String = "", _ headers: [String: String] = [:])
            -> HTTPResponse
        {
            var headers = headers
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            return page.answer(
                HTTPRequest(method: method, path: path, query: [:], headers: headers, body: Data(body.utf8)))
        }
        let html = String(decoding: ask("GET", []).body, as: UTF8.self)
        #expect(html.contains("<td>X</td>"))
        #expect(html.components(separatedBy: "<button").count == 9)
        #expect(html.contains("&lt;b&gt;&amp;Co") && !html.contains("<b>"))
        #expect(ask("POST", ["touch"], "square=1003").status == 303)
        #expect(ask("POST", ["touch"], "square=2000").status == 400)
        #expect(
            ask("POST", ["touch"], "square=1003", ["Origin": "http://elsewhere.example", "Host": "127.0.0.1:1"]).status
                == 403)
        #expect(ask("GET", ["else"]).status == 404)
        #expect(touched.withLock { $0 } == [1_003])
        screen.isOwnTurn = false
        page.show(screen)
        #expect(String(decoding: ask("GET", []).body, as: UTF8.self).contains("http-equiv=\"refresh\""))
    }
}
