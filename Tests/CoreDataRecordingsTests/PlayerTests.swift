import CoreDataRecordings
import Dispatch
import Foundation
import Synchronization
import TestBasics
import Testing

private final class Sink: SoundSink {
    private let kept = Mutex<[String]>([])
    var calls: [String] { kept.withLock { $0 } }
    func prepare(_ file: URL) { kept.withLock { $0.append("prepare") } }
    func play(_ file: URL, _ playback: SoundPlayback, from position: Double) {
        kept.withLock { $0.append("play \(position)") }
    }
    func change(_ playback: SoundPlayback) { kept.withLock { $0.append("volume \(playback.volume)") } }
    func stop() { kept.withLock { $0.append("stop") } }
}

private final class Clock: SoundClock {
    private struct State {
        var now = 0.0
        var calls: [(time: Double, block: @Sendable () -> Void)] = []
    }
    private let state = Mutex(State())
    var now: Double { state.withLock { $0.now } }
    func call(after seconds: Double, _ block: @escaping @Sendable () -> Void) {
        state.withLock { $0.calls.append(($0.now + max(seconds, 0), block)) }
    }
    func move(to time: Double) {
        while true {
            let block = state.withLock { state -> (@Sendable () -> Void)? in
                guard let next = state.calls.indices.min(by: { state.calls[$0].time < state.calls[$1].time }),
                    state.calls[next].time <= time
                else {
                    state.now = time
                    return nil
                }
                let call = state.calls.remove(at: next)
                state.now = max(state.now, call.time)
                return call.block
            }
            guard let block else { return }
            block()
        }
    }
}

private final class Ends: AVAudioPlayerDelegate {
    private let count = Mutex(0)
    var number: Int { count.withLock { $0 } }
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { count.withLock { $0 += 1 } }
}

/// Players with a clock that the tests move.
@Suite(.enabled(if: MediaInformation.isAvailable, "ffmpeg is not installed")) struct PlayerTests {
    private let sink = Sink()
    private let clock = Clock()
    private let ends = Ends()
    private let queue = DispatchQueue(label: "PlayerTests")

    private func player(_ folder: TemporaryFolder, seconds: Double = 2) async throws -> AVAudioPlayer {
        let file = folder.url.appendingPathComponent("\(UUID().uuidString).wav")
        let wave = try WaveFile(at: file)
        try wave.append([Float](repeating: 0.25, count: Int(seconds * 44_100) * 2))
        try wave.close()
        let player = try await AVAudioPlayer(contentsOf: file, sink: sink, clock: clock, delegateQueue: queue)
        player.delegate = ends
        return player
    }

    @Test("MEDIA-16: a player ends once after its loops, and can be played again")
    func ending() async throws {
        let folder = try TemporaryFolder()
        let player = try await player(folder)
        #expect(player.duration == 2)
        player.prepareToPlay()
        player.numberOfLoops = 1
        player.play()
        clock.move(to: 3)
        #expect(player.isPlaying && player.currentTime == 1)
        clock.move(to: 10)
        queue.sync {}
        #expect(!player.isPlaying && player.currentTime == 0 && ends.number == 1)
        player.play()
        clock.move(to: 20)
        queue.sync {}
        #expect(ends.number == 2)
        #expect(sink.calls == ["prepare", "volume 1.0", "play 0.0", "stop", "play 0.0", "stop"])
    }

    @Test("MEDIA-16: stopping and seeking move the end, and several players are apart")
    func severalPlayers() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try await player(folder), try await player(folder, seconds: 8))
        first.play()
        second.play()
        clock.move(to: 1)
        first.pause()
        second.currentTime = 7.5
        second.volume = 0.5
        clock.move(to: 5)
        queue.sync {}
        #expect(ends.number == 1 && !second.isPlaying && first.currentTime == 1)
        first.play()
        first.enableRate = true
        first.rate = 0.5
        clock.move(to: 6.5)
        #expect(first.isPlaying && first.currentTime == 1.75)
        first.beginInterruption()
        first.endInterruption(shouldResume: true)
        clock.move(to: 7)
        queue.sync {}
        #expect(ends.number == 2)
    }

    @Test("MEDIA-16: a file without sound is refused")
    func noSound() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("text.mp3")
        try Data("#EXTM3U\nfile:///etc/passwd\n".utf8).write(to: file)
        await #expect(throws: RecordingError.self) {
            try await AVAudioPlayer(contentsOf: file, sink: sink, clock: clock)
        }
    }
}
