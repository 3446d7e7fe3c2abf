import Dispatch
import Foundation
import LockKit
import ProgramKit

/// Plays by `paplay` or `aplay`, whichever is installed; silent without both.
public final class SystemSpeechSink: SpeechSink {
    private static let players = [
        HelperProgram("paplay", package: "pulseaudio-utils"), HelperProgram("aplay", package: "alsa-utils"),
    ]
    private let playing = Locked<Task<Void, Never>?>(nil)

    /// A sink that plays nothing yet.
    public init() {}

    /// Whether sound can be heard.
    public static var isAvailable: Bool { players.contains { $0.url != nil } }

    public func play(_ sound: SpokenSound, from second: Double) {
        stop()
        guard let player = Self.players.first(where: { $0.url != nil }) else { return }
        let task = Task {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("speech-\(UUID().uuidString).wav")
            defer { try? FileManager.default.removeItem(at: file) }
            guard (try? sound.rest(from: second).write(to: file)) != nil, !Task.isCancelled else { return }
            let limits = ProgramLimits(seconds: sound.duration + 30, processorSeconds: 600)
            // The players need the address of the sound server, which is in the environment.
            let own = ProcessInfo.processInfo.environment.filter {
                ["XDG_RUNTIME_DIR", "PULSE_SERVER"].contains($0.key)
            }
            _ = try? await player.output([file.path], environment: own, limits: limits)
        }
        playing.withLock { $0 = task }
    }

    public func stop() {
        playing.withLock { task in
            task?.cancel()
            task = nil
        }
    }

    deinit { stop() }
}

extension SpokenSound {
    /// The file with the samples from a second on.
    func rest(from second: Double) -> Data {
        let header = wave.prefix(44)
        let samples = wave.dropFirst(44)
        let share = duration > 0 ? min(max(second / duration, 0), 1) : 0
        let skipped = Int(Double(samples.count / 2) * share) * 2
        let rest = samples.dropFirst(skipped)
        func bytes(_ number: Int) -> Data { withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { Data($0) } }
        return header.prefix(4) + bytes(rest.count + 36) + header[(header.startIndex + 8)..<(header.startIndex + 40)]
            + bytes(rest.count) + rest
    }
}

/// The system's clock.
public struct SystemSpeechClock: SpeechClock {
    private static let queue = DispatchQueue(label: "CoreDataSpeech.clock")

    /// The system's clock.
    public init() {}

    public var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    public func call(after seconds: Double, _ block: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + max(seconds, 0), execute: block)
    }
}
