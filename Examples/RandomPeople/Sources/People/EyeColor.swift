import CoreData

/// A colour of eyes: red, green and blue from 0 to 255.
final class EyeColor: NSObject, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// The colours that random people have, by name.
    static let all: [(name: String, color: EyeColor)] = [
        ("light grey", EyeColor(red: 170, green: 170, blue: 170)),
        ("blue", EyeColor(red: 0, green: 0, blue: 255)),
        ("green", EyeColor(red: 0, green: 255, blue: 0)),
    ]

    /// The colour of a name; nil if no eyes have it.
    static func named(_ name: String) -> EyeColor? { all.first { $0.name == name }?.color }

    /// The name of the colour; its three numbers if it has none.
    var name: String { Self.all.first { $0.color == self }?.name ?? "\(red)/\(green)/\(blue)" }

    override func isEqual(_ object: Any?) -> Bool { (object as? EyeColor)?.data == data }

    override var hash: Int { data.hashValue }
}

extension EyeColor {
    /// What is stored: three bytes.
    var data: Data { Data([red, green, blue]) }

    /// The colour that three bytes stand for; nil for anything else.
    convenience init?(data: Data) {
        let bytes = Array(data)
        guard bytes.count == 3 else { return nil }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
    }
}
