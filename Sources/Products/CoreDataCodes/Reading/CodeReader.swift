import Foundation
import ProgramKit

/// Reads codes in pictures, by `ZXingReader` of the package `zxing-cpp-tools`, in a process of its own.
///
/// With `libvips-tools` pictures of all its formats are read, put on white and tried inverted too; without, PNG, JPEG and GIF as they
/// are.
public struct CodeReader: Sendable {
    /// The types that are looked for; others are ignored.
    public var metadataObjectTypes: [AVMetadataObject.ObjectType]
    /// The most bytes that a picture may have.
    public var byteLimit = 32 << 20
    /// The most pixels that a picture may have.
    public var pixelLimit = 100_000_000

    static let program = HelperProgram("ZXingReader", package: "zxing-cpp-tools")

    /// A reader of some types of codes.
    public init(metadataObjectTypes: [AVMetadataObject.ObjectType] = AVMetadataObject.ObjectType.all) {
        self.metadataObjectTypes = metadataObjectTypes
    }

    /// Whether the program that reads codes is installed.
    public static var isAvailable: Bool { program.url != nil }

    /// The codes in a picture; empty if there are none.
    ///
    /// - Parameter picture: The bytes of a file with a picture.
    /// - Throws: `CodeError` if the picture is too large or damaged, or a program is missing or fails; `CancellationError`.
    public func codes(in picture: Data) async throws -> [AVMetadataMachineReadableCodeObject] {
        let formats = metadataObjectTypes.flatMap(CodeFormat.reading)
        guard !formats.isEmpty else { return [] }
        guard !picture.isEmpty, picture.count <= byteLimit else {
            throw picture.isEmpty
                ? CodeError(.unreadablePicture, "there are no bytes of a picture", hint: "give a picture")
                : CodeError(
                    .pictureTooLarge, "the picture has \(picture.count) bytes, more than \(byteLimit)",
                    hint: "give a smaller picture")
        }
        do {
            _ = try Self.program.located()
            return try await PicturePreparation(picture, byteLimit: byteLimit, pixelLimit: pixelLimit)
                .firstResult { file in
                    try await read(file, formats)
                }
        } catch let failure as ProgramFailure {
            throw CodeError(failure)
        }
    }

    private func read(_ file: URL, _ formats: [String]) async throws -> [AVMetadataMachineReadableCodeObject] {
        let output: ProgramOutput
        do {
            output = try await run([], file, formats)
        } catch let failure as ProgramFailure {
            // An assertion of version 1.4 stops it at some turned codes; without turning it reads the rest of the picture.
            guard case .signal = failure.reason else { throw failure }
            output = try await run(["-norotate", "-noscale"], file, formats)
        }
        guard output.status == 0 || !output.standardOutput.isEmpty else {
            throw CodeError(
                .unreadablePicture, "the picture cannot be decoded",
                hint: "give a picture in PNG or JPEG that is complete")
        }
        return ReaderOutput.codes(output.text).compactMap(object)
    }

    private func run(_ options: [String], _ file: URL, _ formats: [String]) async throws -> ProgramOutput {
        try await Self.program.output(
            ["-escape"] + options + ["-format", formats.joined(separator: ","), file.path],
            limits: ProgramLimits(seconds: 15, processorSeconds: 15, memory: 1 << 30, output: 4 << 20, fileSize: 0))
    }

    private func object(_ code: ReaderOutput) -> AVMetadataMachineReadableCodeObject? {
        guard let type = CodeFormat.type(code.format), metadataObjectTypes.contains(type) else { return nil }
        let text = type == .ean13 ? code.text.map { ProductNumber($0)?.digits ?? $0 } : code.text
        return AVMetadataMachineReadableCodeObject(
            type: type, stringValue: text, bytes: code.bytes, corners: code.corners)
    }
}

/// The names of types in the programs of ZXing.
enum CodeFormat {
    private static let names: [(type: AVMetadataObject.ObjectType, writing: String, reading: [String])] = [
        (.qr, "QRCode", ["QRCode", "MicroQRCode"]), (.code128, "Code128", ["Code128"]),
        (.ean13, "EAN-13", ["EAN-13", "UPC-A"]), (.ean8, "EAN-8", ["EAN-8"]), (.upce, "UPC-E", ["UPC-E"]),
        (.interleaved2of5, "ITF", ["ITF"]), (.aztec, "Aztec", ["Aztec"]), (.dataMatrix, "DataMatrix", ["DataMatrix"]),
    ]

    static func reading(_ type: AVMetadataObject.ObjectType) -> [String] {
        names.first { $0.type == type }?.reading ?? []
    }

    static func writing(_ type: AVMetadataObject.ObjectType) -> String? { names.first { $0.type == type }?.writing }

    static func type(_ name: String) -> AVMetadataObject.ObjectType? {
        names.first { $0.reading.contains(name) }?.type
    }
}
