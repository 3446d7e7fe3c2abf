import Foundation
import ProgramKit

/// Reads what pictures and films say of their making, by the program `exiftool` of Debian's package `libimage-exiftool-perl`.
///
/// Many files are read by one process. The program sees links with names of its own, since it passes over lines of an argument file that
/// begin with `#`, and a name can have line breaks.
public struct PictureDetailsReader: Sendable {
    /// The seconds after which a process is ended, beside a tenth of a second for each file.
    public var seconds = 30.0
    /// How many files one process reads.
    private static let portion = 500

    static let exiftool = HelperProgram("exiftool", package: "libimage-exiftool-perl")

    /// Makes a reader.
    public init() {}

    /// Whether the program is installed.
    public static var isPossible: Bool { exiftool.url != nil }

    /// What files say.
    ///
    /// - Parameter files: Files; each is read once, and none is written.
    /// - Returns: The details of those that could be read.
    /// - Throws: ``PictureFileError`` with `missingProgram`, `programFailed` or `unreadable`; `CancellationError`.
    public func details(of files: [URL]) async throws -> [URL: PictureDetails] {
        var all: [URL: PictureDetails] = [:]
        for start in stride(from: 0, to: files.count, by: Self.portion) {
            let some = Array(files[start..<min(start + Self.portion, files.count)])
            for (place, details) in try await read(some.map { .file($0) }) { all[some[place]] = details }
        }
        return all
    }

    /// What a picture says.
    ///
    /// - Throws: As `details(of:)`; bytes that say nothing give empty details.
    public func details(of source: PictureSource) async throws -> PictureDetails {
        try await read([source])[0] ?? PictureDetails()
    }

    private func read(_ sources: [PictureSource]) async throws -> [Int: PictureDetails] {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        for (place, source) in sources.enumerated() {
            switch source {
            case .data(let data): try folder.write(data, String(place))
            case .file(let file): try folder.link(file, as: String(place))
            }
        }
        let names = sources.indices.map { folder.url.appendingPathComponent(String($0)).path + "\n" }
        try folder.write(Data(names.joined().utf8), "files")
        let arguments =
            ["-T", "-n", "-m", "-q", "-q", "-fast"] + DetailFields.tags
            + ["-@", folder.url.appendingPathComponent("files").path]
        do {
            let time = seconds + Double(sources.count) / 10
            // A status other than 0 says that some file could not be read; the others have their rows.
            let output = try await Self.exiftool.output(
                arguments, folder: folder.url,
                limits: ProgramLimits(seconds: time, processorSeconds: Int(time) + 1, memory: 1 << 30))
            return DetailFields.rows(output.text)
        } catch let failure as ProgramFailure {
            throw PictureFileError(failure)
        }
    }
}
