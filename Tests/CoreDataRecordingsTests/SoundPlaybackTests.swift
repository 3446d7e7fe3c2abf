import CoreDataRecordings
import Foundation
import Testing

/// Playing as a value that a clock moves.
@Suite struct SoundPlaybackTests {
    @Test("MEDIA-16: a sound with n loops is played n + 1 times", arguments: [0, 1, 3])
    func loops(number: Int) {
        var sound = SoundPlayback(duration: 2)
        sound.numberOfLoops = number
        sound.play(at: 100)
        #expect(sound.end == 100 + 2 * Double(number + 1))
        #expect(sound.position(at: 101.5) == 1.5)
        #expect(!sound.hasEnded(at: 101.9 + Double(number) * 2) && sound.hasEnded(at: 102 + Double(number) * 2))
        #expect(sound.loops(at: 1_000) == number && sound.position(at: 1_000) == 2)
    }

    @Test("MEDIA-16: a negative number of loops has no end")
    func endless() {
        var sound = SoundPlayback(duration: 2)
        sound.numberOfLoops = -1
        sound.play(at: 0)
        #expect(sound.end == nil && sound.position(at: 2_001) == 1 && sound.loops(at: 2_001) == 1_000)
    }

    @Test("MEDIA-16: the rate is 1 until it is enabled, then from 0.5 to 2")
    func rates() {
        var sound = SoundPlayback(duration: 10)
        sound.setRate(2, at: 0)
        #expect(sound.rate == 1)
        sound.play(at: 0)
        sound.enableRate(true, at: 1)
        #expect(sound.rate == 2 && sound.position(at: 2) == 3)
        sound.setRate(9, at: 2)
        #expect(sound.rate == 2)
        sound.setRate(0.1, at: 2)
        #expect(sound.rate == 0.5 && sound.position(at: 4) == 4)
        sound.setRate(.nan, at: 4)
        #expect(sound.rate == 0.5 && sound.end == 16)
    }

    @Test("MEDIA-16: volume and pan are bounded, 1.1 becomes 1")
    func bounds() {
        var sound = SoundPlayback(duration: 1)
        sound.volume = 1.1
        #expect(sound.volume == 1)
        sound.volume = -3
        #expect(sound.volume == 0)
        sound.pan = -2
        #expect(sound.pan == -1)
        sound.volume = .nan
        #expect(sound.volume == 0)
    }

    @Test("MEDIA-16: seeking and pausing keep the place")
    func seeking() {
        var sound = SoundPlayback(duration: 10)
        sound.seek(to: 4, at: 0)
        sound.play(at: 10)
        sound.pause(at: 12)
        #expect(sound.position(at: 99) == 6)
        sound.play(at: 100)
        sound.seek(to: 42, at: 101)
        #expect(sound.position(at: 101) == 10 && sound.hasEnded(at: 101))
        sound.seek(to: -1, at: 101)
        #expect(sound.position(at: 102) == 1)
    }

    @Test("MEDIA-16: after an interruption it goes on by the flag, and only if it was played")
    func interruptions() {
        var sound = SoundPlayback(duration: 10)
        sound.play(at: 0)
        sound.beginInterruption(at: 2)
        #expect(!sound.isPlaying)
        sound.endInterruption(shouldResume: true, at: 50)
        #expect(sound.isPlaying && sound.position(at: 51) == 3)
        sound.beginInterruption(at: 51)
        sound.endInterruption(shouldResume: false, at: 60)
        #expect(!sound.isPlaying && sound.position(at: 70) == 3)
        sound.beginInterruption(at: 70)
        sound.endInterruption(shouldResume: true, at: 71)
        #expect(!sound.isPlaying)
    }

    @Test("MEDIA-16: a playback is stored and read")
    func coding() throws {
        var sound = SoundPlayback(duration: 10)
        sound.play(at: 0)
        sound.numberOfLoops = 2
        let copy = try JSONDecoder().decode(SoundPlayback.self, from: JSONEncoder().encode(sound))
        #expect(copy == sound && copy.position(at: 12) == 2)
        #expect(SoundPlayback(duration: .infinity).duration == 0)
    }
}
