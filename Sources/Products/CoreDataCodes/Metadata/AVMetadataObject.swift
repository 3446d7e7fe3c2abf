import Foundation

/// Something that was recognised in a picture, by the name of AVFoundation's class. Its only kind here are codes.
open class AVMetadataObject: @unchecked Sendable {
    /// What was recognised; the values are Apple's, such as `org.iso.QRCode`.
    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A type by Apple's identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A QR code.
        public static let qr = ObjectType(rawValue: "org.iso.QRCode")
        /// Code 128.
        public static let code128 = ObjectType(rawValue: "org.iso.Code128")
        /// EAN-13, and UPC-A with a zero before its twelve digits, as Apple reports it.
        public static let ean13 = ObjectType(rawValue: "org.gs1.EAN-13")
        /// EAN-8.
        public static let ean8 = ObjectType(rawValue: "org.gs1.EAN-8")
        /// UPC-E.
        public static let upce = ObjectType(rawValue: "org.gs1.UPC-E")
        /// Interleaved 2 of 5.
        public static let interleaved2of5 = ObjectType(rawValue: "org.ansi.Interleaved2of5")
        /// Aztec.
        public static let aztec = ObjectType(rawValue: "org.iso.Aztec")
        /// Data Matrix.
        public static let dataMatrix = ObjectType(rawValue: "org.iso.DataMatrix")

        /// All types that are read and written: what the sample programs of Apple's books ask for.
        public static let all: [ObjectType] = [
            .qr, .code128, .ean13, .ean8, .upce, .interleaved2of5, .aztec, .dataMatrix,
        ]
    }

    /// What was recognised.
    public let type: ObjectType
    /// The smallest rectangle around it in pixels, from the top left corner of the picture that was searched.
    public let bounds: CGRect

    init(type: ObjectType, bounds: CGRect) { (self.type, self.bounds) = (type, bounds) }
}

/// A code that was read, by the name of AVFoundation's class.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    /// The text; for EAN-13 and UPC-A thirteen digits. Nil where the bytes are no text.
    public let stringValue: String?
    /// The bytes as the code has them.
    public let bytes: Data
    /// The corners in pixels, from the code's own top left one clockwise.
    public let corners: [CGPoint]

    init(type: ObjectType, stringValue: String?, bytes: Data, corners: [CGPoint]) {
        self.stringValue = stringValue
        self.bytes = bytes
        self.corners = corners
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let origin = CGPoint(x: xs.min() ?? 0, y: ys.min() ?? 0)
        super.init(
            type: type,
            bounds: CGRect(
                x: origin.x, y: origin.y, width: (xs.max() ?? 0) - origin.x, height: (ys.max() ?? 0) - origin.y))
    }

    /// A sentence in English that says what was read.
    public var summary: String {
        "We read \(stringValue ?? "\(bytes.count) bytes") from a barcode of type \(type.rawValue)"
    }
}
