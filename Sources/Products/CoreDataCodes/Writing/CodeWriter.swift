import Foundation
import ProgramKit

/// Makes codes of texts, by `ZXingWriter` of the package `zxing-cpp-tools`, in a process of its own.
///
/// A code is read back before it is handed out: what reads as another text is refused.
public struct CodeWriter: Sendable {
    /// The type of the codes.
    public var type: AVMetadataObject.ObjectType

    private static let program = HelperProgram("ZXingWriter", package: "zxing-cpp-tools")
    /// More than any of the types holds.
    private static let longest = 8_000
    /// Words that the program takes for options wherever they stand.
    private static let options: Set = ["-size", "-margin", "-encoding", "-ecc"]

    /// A writer of codes of a type.
    public init(type: AVMetadataObject.ObjectType = .qr) { self.type = type }

    /// Whether the programs that make and check codes are installed.
    public static var isAvailable: Bool { program.url != nil && CodeReader.isAvailable }

    /// The code of a text.
    ///
    /// - Parameter text: The text, in UTF-8. For EAN-13 twelve digits or thirteen with the check digit, and likewise for the other types of
    ///   numbers.
    /// - Throws: `CodeError` if the text cannot be written in the type or reads as another one, or a program is missing or fails.
    public func matrix(of text: String) async throws -> CodeMatrix {
        guard let format = CodeFormat.writing(type) else {
            throw CodeError(
                .unwritableText, "there is no writer for codes of type '\(type.rawValue)'",
                hint: "use one of AVMetadataObject.ObjectType.all")
        }
        guard !text.isEmpty, text.utf8.count <= Self.longest, !text.utf8.contains(0), !Self.options.contains(text)
        else {
            throw unwritable("a text of \(text.utf8.count) bytes cannot be written")
        }
        do {
            let matrix = try await write(text, format)
            try await check(matrix, text)
            return matrix
        } catch let failure as ProgramFailure {
            throw CodeError(failure)
        }
    }

    private func write(_ text: String, _ format: String) async throws -> CodeMatrix {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("code.svg")
        let output = try await Self.program.output(
            ["-encoding", "UTF-8", "-margin", "0", "-size", "1x1", format, text, file.path],
            limits: ProgramLimits(
                seconds: 15, processorSeconds: 15, memory: 1 << 30, output: 1 << 20, fileSize: 8 << 20))
        guard output.status == 0, let svg = try? String(contentsOf: file, encoding: .utf8) else {
            let said = output.standardError.split(separator: "\n").first.map(String.init)
            throw unwritable(said.map { "ZXingWriter says: \($0)" } ?? "the text cannot be written")
        }
        return try CodeMatrix(type: type, svg: svg)
    }

    /// Reads the code as it is drawn.
    private func check(_ matrix: CodeMatrix, _ text: String) async throws {
        var reader = CodeReader(metadataObjectTypes: [type])
        reader.pixelLimit = .max
        let found = try await reader.codes(in: matrix.png(scale: 4)).compactMap(\.stringValue)
        guard !found.contains(where: { isSame($0, text) }) else { return }
        throw CodeError(
            .differentText, found.isEmpty ? "the code cannot be read" : "the code reads as another text",
            hint: "use the type qr, which holds all texts up to about 2,900 bytes")
    }

    /// Numbers are the same with and without their check digit; an odd count of digits gets a zero before it in none of the types.
    private func isSame(_ found: String, _ text: String) -> Bool {
        switch type {
        case .ean13, .ean8, .upce: found == text || found.dropLast() == text[...]
        default: Array(found.utf8) == Array(text.utf8)
        }
    }

    private func unwritable(_ reason: String) -> CodeError {
        let hint =
            switch type {
            case .ean13: "give 12 digits, or 13 with a valid check digit"
            case .ean8: "give 7 digits, or 8 with a valid check digit"
            case .upce: "give 7 digits that begin with 0 or 1, or 8 with a valid check digit"
            case .interleaved2of5: "give an even count of digits"
            case .code128: "give up to 80 characters of ASCII"
            default: "give a text of up to about 2,900 bytes that is no option of ZXingWriter"
            }
        return CodeError(.unwritableText, reason, hint: hint)
    }
}
