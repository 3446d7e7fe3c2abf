import Foundation
import ProgramKit

/// The program that speaks, and the voices that it has, asked once.
enum VoiceList {
    /// A program of this library, found beside the running program, in its folder of helpers, or on the search path.
    static let program = HelperProgram("coredata-speech", package: "libespeak-ng1", isOwn: true)

    /// Empty where the program or the library is not installed.
    static let voices: [AVSpeechSynthesisVoice] = {
        // The library's player of sound, though not used, makes a file of 64 MiB in memory: no limit of the size of files below that.
        let limits = ProgramLimits(seconds: 10, processorSeconds: 10, memory: 1 << 30, output: 1 << 20)
        guard let output = try? program.run(["voices"], limits: limits), output.status == 0 else { return [] }
        return output.text.split(separator: "\n").compactMap { voice($0) }.sorted {
            ($0.language, $0.identifier) < ($1.language, $1.identifier)
        }
    }()

    private static func voice(_ line: Substring) -> AVSpeechSynthesisVoice? {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return AVSpeechSynthesisVoice(
            identifier: parts[0], language: tag(parts[1]), name: parts[3],
            gender: Int(parts[2]).flatMap(AVSpeechSynthesisVoiceGender.init) ?? .unspecified)
    }

    /// A tag with its parts as BCP 47 writes them: `en-us` is `en-US`.
    private static func tag(_ text: String) -> String {
        let parts = text.split(separator: "-")
        return parts.enumerated().map {
            $0.offset == 1 && $0.element.count == 2 ? $0.element.uppercased() : String($0.element)
        }
        .joined(separator: "-")
    }
}
