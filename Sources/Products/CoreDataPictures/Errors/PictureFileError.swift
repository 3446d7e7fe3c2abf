import Foundation
import ProgramKit

/// Why a picture cannot be read, shown or described.
public struct PictureFileError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The bytes are no picture of a known type.
        case unknownType
        /// The picture has more pixels than are allowed; it was not decoded.
        case tooManyPixels
        /// The picture is cut off or damaged, or its type is not decoded here.
        case damaged
        /// The file is missing or cannot be read, or there is no place for what is made of it.
        case unreadable
        /// A program that is needed is not installed.
        case missingProgram
        /// A program crashed, or was ended by a limit.
        case programFailed
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence.
    public let reason: String
    /// What to do about it.
    public let hint: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String, hint: String) {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }

    /// Why a program of another project gave no result.
    init(_ failure: ProgramFailure) {
        if failure.isMissing {
            self.init(
                .missingProgram, "'\(failure.program)' is not installed",
                hint: "'apt-get install \(failure.package)' installs it")
        } else {
            self.init(.programFailed, failure.description, hint: "save the picture again with another program")
        }
    }

    static var unknownType: PictureFileError {
        PictureFileError(
            .unknownType, "the bytes are no picture of a known type",
            hint: "use JPEG, PNG, GIF, WebP, TIFF, BMP, HEIC or AVIF")
    }

    static func damaged(_ cause: String) -> PictureFileError {
        PictureFileError(
            .damaged,
            cause.isEmpty
                ? "the picture is damaged or incomplete" : "the picture is damaged or incomplete: \(cause)",
            hint: "copy it again from where it came, or save it again with another program")
    }

    static func tooManyPixels(_ size: PixelSize, limit: Int) -> PictureFileError {
        PictureFileError(
            .tooManyPixels,
            "the picture has \(size.width) × \(size.height) pixels, and at most \(limit) pixels are decoded",
            hint: "make it smaller, or allow more by the pixel limit")
    }

    static func unreadable(_ cause: String) -> PictureFileError {
        PictureFileError(.unreadable, cause, hint: "see that the file is there and can be read")
    }

    /// Whether another try with the same bytes can have another result.
    var mayPass: Bool { code == .missingProgram || code == .unreadable }
}
