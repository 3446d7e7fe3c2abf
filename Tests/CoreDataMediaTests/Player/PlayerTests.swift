import CoreDataMedia
import Foundation
import TestBasics
import Testing

@Suite("The player as a value")
struct PlayerTests {
    private static func entries(_ count: Int, seconds: Double = 10) -> [MusicPlayerEntry] {
        (1...count).map { MusicPlayerEntry(item: UInt64($0), duration: seconds) }
    }

    private func player(_ count: Int = 3) -> MusicPlayer {
        var player = MusicPlayer()
        var generator = SystemRandomNumberGenerator()
        player.setQueue(Self.entries(count), at: 0, using: &generator)
        return player
    }

    @Test("MEDIA-08: time passes while it plays, items follow each other, and past the end it stops")
    func itemsFollowEachOther() {
        var player = player()
        player.play(at: 100)
        #expect(player.position(at: 104) == 4 && player.end(at: 104) == 110)
        player.pause(at: 104)
        #expect(player.position(at: 1_000) == 4 && player.state == .paused)
        player.play(at: 1_000)
        #expect(player.advance(to: 1_007) == [1])
        #expect(player.current?.item == 2 && player.position(at: 1_007) == 1)
        #expect(player.advance(to: 5_000) == [2, 3])
        #expect(player.state == .stopped && player.current?.item == 1 && player.position(at: 5_000) == 0)
    }

    @Test("MEDIA-08: next and previous stop past the ends; to the beginning; positions are clamped to the duration")
    func skipsStopPastTheEnds() {
        var player = player()
        player.play(at: 0)
        player.skipToNextItem(at: 1)
        player.skipToNextItem(at: 2)
        #expect(player.current?.item == 3 && player.state == .playing && player.position(at: 3) == 1)
        player.skipToNextItem(at: 3)
        #expect(player.state == .stopped)
        player.play(at: 4)
        player.skipToPreviousItem(at: 5)
        #expect(player.state == .stopped && player.current?.item == 1)
        player.seek(to: 99, at: 6)
        #expect(player.position(at: 6) == 10)
        player.seek(to: -5, at: 6)
        #expect(player.position(at: 6) == 0)
        player.seek(to: .nan, at: 6)
        #expect(player.position(at: 6) == 0)
        player.seek(to: 5, at: 6)
        player.play(at: 6)
        #expect(player.position(at: 7) == 6)
        player.skipToBeginning(at: 7)
        #expect(player.position(at: 8) == 1 && player.current?.item == 1)
        player.stop(at: 9)
        #expect(player.position(at: 20) == 0 && player.state == .stopped)
    }

    @Test("MEDIA-08: a button held for a tenth of a second seeks, a shorter press skips")
    func heldButtonsSeek() {
        var player = player()
        player.play(at: 0)
        player.press(forward: true, at: 1)
        player.release(at: 1.099)
        #expect(player.current?.item == 2 && player.position(at: 1.099) == 0)
        player.press(forward: true, at: 2)
        player.advance(to: 2.1)
        #expect(player.state == .seekingForward)
        let before = player.position(at: 2.1)
        #expect(abs(player.position(at: 2.6) - before - 0.5 * MusicPlayer.seekRate) < 1e-9)
        player.release(at: 2.6)
        #expect(player.state == .playing && player.current?.item == 2)
        player.press(forward: false, at: 3)
        player.release(at: 9)
        #expect(player.position(at: 9) == 0 && player.current?.item == 2, "as far as the beginning of the item")
        player.pause(at: 9)
        player.beginSeekingForward(at: 9)
        player.endSeeking(at: 9.5)
        #expect(player.state == .paused && abs(player.position(at: 100) - 4) < 1e-9)
    }

    @Test("MEDIA-09: the queue is read and edited, and what plays goes on")
    func queueIsEdited() {
        var player = player()
        var generator = SystemRandomNumberGenerator()
        #expect(player.current?.item == 1)
        player.play(at: 0)
        player.append([MusicPlayerEntry(item: 7, duration: 5)], using: &generator)
        player.insertNext([MusicPlayerEntry(item: 8, duration: 5)])
        #expect(player.upcoming.map(\.item) == [1, 8, 2, 3, 7])
        #expect(player.position(at: 3) == 3 && player.state == .playing)
        player.move(4, to: 0)
        #expect(player.current?.item == 1 && player.index == 1)
        player.remove(0, at: 3)
        #expect(player.current?.item == 1 && player.position(at: 4) == 4)
        player.remove(0, at: 4)
        #expect(player.current?.item == 8 && player.position(at: 4) == 0 && player.state == .playing)
        for _ in 0..<3 { player.remove(0, at: 5) }
        #expect(player.state == .stopped && player.current == nil && player.entries.isEmpty)
        player.remove(0, at: 5)
        player.play(at: 6)
        #expect(player.state == .stopped)
    }

    @Test("MEDIA-10: repeat none, one and all, and default is what the user prefers; volume is clamped")
    func repeatModes() {
        var player = player()
        player.repeatMode = .one
        player.play(at: 0)
        #expect(player.advance(to: 35) == [1, 1, 1] && player.position(at: 35) == 5)
        player.repeatMode = .all
        player.skipToPreviousItem(at: 35)
        #expect(player.current?.item == 3)
        player.advance(to: 46)
        #expect(player.current?.item == 1 && player.position(at: 46) == 1)
        let ended = player.advance(to: 46 + 30_000_000)
        #expect(player.state == .playing && player.current?.item == 1 && ended.count < 20)
        #expect(abs(player.position(at: 46 + 30_000_000) - 1) < 1e-3)
        player.repeatMode = .default
        player.preferredRepeat = .all
        player.advance(to: 30_000_100)
        #expect(player.state == .playing)
        player.volume = 1.1
        #expect(player.volume == 1)
        player.volume = -3
        #expect(player.volume == 0)
        player.volume = .nan
        #expect(player.volume == 0)
    }

    @Test("MEDIA-10: each order of shuffled songs is equally likely, and albums stay whole")
    func shufflesAreEven() {
        var generator = SeededRandom(seed: 7)
        var orders: [[UInt64]: Int] = [:]
        for _ in 0..<6_000 {
            var player = MusicPlayer()
            player.setShuffle(.songs, using: &generator)
            player.setQueue(Self.entries(3), at: 0, using: &generator)
            orders[player.upcoming.map(\.item), default: 0] += 1
        }
        #expect(orders.count == 6)
        // Chi-squared of five degrees of freedom: above 20.5 once in a thousand; the seed is fixed.
        let squares = orders.values.reduce(0.0) { $0 + pow(Double($1) - 1_000, 2) / 1_000 }
        #expect(squares < 20.5, "\(orders)")
        var firsts: [UInt64: Int] = [:]
        for _ in 0..<3_000 {
            var player = MusicPlayer()
            player.setShuffle(.albums, using: &generator)
            let entries = (0..<9).map { MusicPlayerEntry(item: UInt64($0), duration: 1, album: UInt64($0 / 3 + 1)) }
            player.setQueue(entries, at: 0, using: &generator)
            let items = player.upcoming.map(\.item)
            for start in [0, 3, 6] { #expect(items[start] % 3 == 0 && items[start + 1] == items[start] + 1) }
            firsts[items[0], default: 0] += 1
        }
        #expect(firsts.count == 3 && firsts.values.allSatisfy { (850...1_150).contains($0) })
    }

    @Test("MEDIA-10: shuffling a queue that plays keeps the current item, and so does ending it")
    func shufflingKeepsTheCurrentItem() {
        var generator = SeededRandom(seed: 3)
        var player = player(20)
        player.play(at: 0)
        player.select(7, at: 0)
        player.setShuffle(.songs, using: &generator)
        #expect(player.current?.item == 8 && player.index == 0 && player.position(at: 2) == 2)
        #expect(Set(player.order) == Set(0..<20) && player.order != Array(0..<20))
        player.setShuffle(.off, using: &generator)
        #expect(player.current?.item == 8 && player.index == 7 && player.order == Array(0..<20))
    }

    @Test("MEDIA-08: the value is stored and goes on; contradictory values are refused")
    func valuesAreStored() throws {
        var player = player()
        player.play(at: 100)
        player.advance(to: 113)
        let data = try JSONEncoder().encode(player)
        var stored = try JSONDecoder().decode(MusicPlayer.self, from: data)
        #expect(stored == player)
        stored.resume(at: 5)
        #expect(stored.current?.item == 2 && stored.position(at: 6) == 4 && stored.state == .playing)
        let text = String(decoding: data, as: UTF8.self)
        for (old, new) in [
            ("\"index\":1", "\"index\":9"), ("\"order\":[0,1,2]", "\"order\":[0,1,1]"),
            ("\"order\":[0,1,2]", "\"order\":[0,1]"),
        ] {
            try #require(text.contains(old))
            let bad = Data(text.replacingOccurrences(of: old, with: new).utf8)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(MusicPlayer.self, from: bad) }
        }
    }

    @Test("MEDIA-08: an interruption holds the place, and goes on only if that is asked for")
    func interruptionsHoldThePlace() {
        var player = player()
        player.play(at: 0)
        player.interrupt(at: 4)
        #expect(player.state == .interrupted && player.position(at: 50) == 4)
        player.endInterruption(shouldResume: true, at: 50)
        #expect(player.state == .playing && player.position(at: 51) == 5)
        player.interrupt(at: 51)
        player.endInterruption(shouldResume: false, at: 60)
        #expect(player.state == .paused && player.position(at: 70) == 5)
    }

    @Test("MEDIA-08: whatever commands come at whatever times, the queue and the position stay whole")
    func randomCommandsKeepInvariants() {
        var generator = SeededRandom(seed: 11)
        var player = MusicPlayer()
        var now = 0.0
        for _ in 0..<20_000 {
            now += Double.random(in: 0...4, using: &generator)
            switch Int.random(in: 0..<18, using: &generator) {
            case 0: player.setQueue(Array(Self.entries(5, seconds: 3)), at: now, using: &generator)
            case 1: player.append(Self.entries(1), using: &generator)
            case 2: player.insertNext(Self.entries(2, seconds: 0))
            case 3: player.remove(Int.random(in: -1...6, using: &generator), at: now)
            case 4:
                player.move(Int.random(in: -1...6, using: &generator), to: Int.random(in: -1...6, using: &generator))
            case 5:
                player.setShuffle(
                    MPMusicShuffleMode.allCases.randomElement(using: &generator) ?? .off, using: &generator)
            case 6: player.repeatMode = MPMusicRepeatMode.allCases.randomElement(using: &generator) ?? .none
            case 7: player.skipToNextItem(at: now)
            case 8: player.skipToPreviousItem(at: now)
            case 9: player.press(forward: Bool.random(using: &generator), at: now)
            case 10: player.release(at: now)
            case 11: player.interrupt(at: now)
            case 12: player.endInterruption(shouldResume: Bool.random(using: &generator), at: now)
            case 13: player.seek(to: Double.random(in: -10...20, using: &generator), at: now)
            case 14: player.pause(at: now)
            case 15: player.stop(at: now)
            case 16: player.beginSeekingBackward(at: now)
            default: player.play(at: now)
            }
            #expect(player.order.sorted() == Array(player.entries.indices))
            #expect(
                player.entries.isEmpty
                    ? player.index == 0 && player.state == .stopped : player.order.indices.contains(player.index))
            let position = player.position(at: now)
            #expect(position >= 0 && (player.current?.duration ?? 0 == 0 || position <= player.current?.duration ?? 0))
        }
    }
}
