import CoreData
import Foundation
import SwiftData

/// Versions of a class whose properties are renamed, and whose hashes change by modifiers.
enum NotesV1 {
    @Model
    final class Note {
        var text: String
        @Relationship var folder: Folder?
        init(text: String) { self.text = text }
    }

    @Model
    final class Folder {
        var title: String
        init(title: String) { self.title = title }
    }
}

enum NotesV2 {
    @Model
    final class Note {
        @Attribute(originalName: "text", hashModifier: "v2") var body: String
        @Relationship(originalName: "folder", hashModifier: "v2") var place: Folder?
        init(body: String) { self.body = body }
    }

    @Model
    final class Folder {
        var title: String
        init(title: String) { self.title = title }
    }
}

/// A colour that a transformer stores as three bytes.
struct Tint: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

final class TintTransformer: ValueTransformer {
    override static func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Tint).map { Data([$0.red, $0.green, $0.blue]) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let bytes = (value as? Data).map(Array.init), bytes.count == 3 else { return nil }
        return Tint(red: bytes[0], green: bytes[1], blue: bytes[2])
    }
}

/// Properties of the kinds that no file of Apple's shows, and counts of relationships.
@Model
final class Parcel {
    var number: Int
    @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint?
    var route: Route?
    var labels: [Label] = []
    @Attribute(.codable) var sender: Label?
    var weights: [String: Double] = [:]
    @Attribute(.externalStorage, .preserveValueOnDeletion) var scan: Data?
    @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Seal.parcel) var seals: [Seal] = []

    struct Route: Codable, Equatable {
        var from: Place
        var to: Place
        var legs: Int
    }
    struct Place: Codable, Equatable {
        var city: String
        var point: Point
    }
    struct Point: Codable, Equatable {
        var x: Double
        var y: Double?
    }
    struct Label: Codable, Equatable {
        var text: String
        var size: Int
    }

    init(number: Int) { self.number = number }
}

@Model
final class Seal {
    var code: String
    var parcel: Parcel?
    init(code: String) { self.code = code }
}
