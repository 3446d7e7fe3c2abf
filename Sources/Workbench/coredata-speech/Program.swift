import CESpeak
import Foundation

/// Speaks texts by libespeak-ng, for `CoreDataSpeech`: a program of its own, since the library is under the GNU GPL 3.
///
///     coredata-speech voices
///     coredata-speech speak VOICE RATE PITCH VOLUME FILE < TEXT
///
/// `voices` writes a line for each voice: identifier, language, gender and name, divided by tabs. `speak` writes a file in WAV, and a line
/// for each word event: the character from which on, the count of characters, and the milliseconds from the beginning.
@main struct Program {
    private static let longest = 1 << 20

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let rate = cespeak_open()
        guard rate > 0 else { fail(String(cString: cespeak_error()), status: 3) }
        switch words.first {
        case "voices" where words.count == 1: listVoices()
        case "speak" where words.count == 6:
            guard let numbers = numbers(words[2...4]) else { fail("a number is wrong", status: 2) }
            speak(words[1], numbers, URL(fileURLWithPath: words[5]), samplesPerSecond: Int(rate))
        default: fail("usage: coredata-speech voices | speak VOICE RATE PITCH VOLUME FILE", status: 2)
        }
    }

    private static func numbers(_ words: ArraySlice<String>) -> [Int32]? {
        let numbers = words.compactMap { Int32($0) }
        return numbers.count == 3 && numbers.allSatisfy { (0...1_000).contains($0) } ? numbers : nil
    }

    private static func listVoices() {
        cespeak_list(nil) { _, identifier, language, name, gender in
            guard let identifier, let language, let name else { return }
            print(
                String(cString: identifier), String(cString: language), gender, String(cString: name), separator: "\t")
        }
    }

    private static func speak(_ voice: String, _ numbers: [Int32], _ file: URL, samplesPerSecond: Int) {
        let text = FileHandle.standardInput.readDataToEndOfFile().prefix(longest)
        let spoken = Spoken()
        let context = Unmanaged.passUnretained(spoken).toOpaque()
        let code = (Data(text) + [0]).withUnsafeBytes { bytes in
            cespeak_speak(
                voice, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count - 1, numbers[0], numbers[1],
                numbers[2],
                context,
                { _, position, length, milliseconds in print(position, length, milliseconds) },
                { context, samples, count in
                    guard let context, let samples else { return 0 }
                    Unmanaged<Spoken>.fromOpaque(context).takeUnretainedValue().samples
                        .append(contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
                    return 0
                })
        }
        guard code == 0 else { fail(code == -1 ? "there is no voice '\(voice)'" : "code \(code)", status: 4) }
        do {
            try spoken.wave(samplesPerSecond: samplesPerSecond).write(to: file)
        } catch {
            fail("\(error)", status: 5)
        }
    }

    private static func fail(_ reason: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((reason + "\n").utf8))
        exit(status)
    }
}

/// The samples that the library has given.
private final class Spoken {
    var samples: [Int16] = []

    /// A file in WAV with one channel of 16 bits.
    func wave(samplesPerSecond: Int) -> Data {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        let count = UInt32(clamping: samples.count * 2)
        var file = Data("RIFF".utf8) + bytes(count &+ 36) + Data("WAVEfmt ".utf8) + bytes(UInt32(16))
        file += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(samplesPerSecond))
        file +=
            bytes(UInt32(samplesPerSecond * 2)) + bytes(UInt16(2)) + bytes(UInt16(16)) + Data("data".utf8)
            + bytes(count)
        for sample in samples { file += bytes(sample) }
        return file
    }
}
