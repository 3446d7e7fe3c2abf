import CoreData
import StoreContract
import Testing

/// Transformers that a model names and nobody registered.
@Suite struct TransformerTests {
    private static func stack(_ transformer: String, kind: StoreKind, class name: String? = nil) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Palette", class: name, ["colours": .transformableAttributeType])
        builder.attribute("Palette.colours").valueTransformerName = transformer
        return try Stack(builder.model, kind: kind)
    }

    @Test("values of a transformer that is not there are kept as secure archives (MOD-23)", arguments: StoreKind.all)
    func missingTransformer(kind: StoreKind) throws {
        let stack = try Self.stack("NoSuchTransformer\(UUID())", kind: kind)
        let palette = stack.context.insert("Palette", ["colours": ["red", "blue"] as NSArray])
        try stack.context.save()
        #expect(palette.value(forKey: "colours") as? [String] == ["red", "blue"])
        let read = try stack.reopened().context.all("Palette").first?.value(forKey: "colours")
        #expect(read as? [String] == ["red", "blue"])
    }

    @Test("bytes of a form that only the missing transformer knows are an error that names it (MOD-23)")
    func foreignBytes() throws {
        let name = "GoneTransformer\(UUID())"
        ValueTransformer.setValueTransformer(TextsTransformer(), forName: .init(name))
        let stack = try Self.stack(name, kind: .sqlite)
        stack.context.insert("Palette", ["colours": ["red", "blue"]])
        try stack.context.save()
        ValueTransformer.setValueTransformer(nil, forName: .init(name))
        let again = try stack.reopened()
        var told: [String] = []
        again.context.dataErrorHandler = { error, _ in told.append("\(error)") }
        let palette = try #require(try again.context.all("Palette").first)
        #expect(palette.value(forKey: "colours") == nil)
        #expect(told.contains { $0.contains("No value transformer named '\(name)'") })
        ValueTransformer.setValueTransformer(TextsTransformer(), forName: .init(name))
        again.context.refresh(palette, mergeChanges: false)
        #expect(palette.value(forKey: "colours") as? [String] == ["red", "blue"])
    }

    @Test(
        "a transformer's class is found by its name, beside the entity's class also without its module (MOD-23)",
        arguments: StoreKind.all,
        [("StoreContractTests.TextsTransformer", nil), ("TextsTransformer", "StoreContractTests.Palette")])
    func classIsFound(kind: StoreKind, names: (transformer: String, entity: String?)) throws {
        let stack = try Self.stack(names.transformer, kind: kind, class: names.entity)
        stack.context.insert("Palette", ["colours": ["red", "blue"]])
        try stack.context.save()
        #expect(
            try stack.reopened().context.all("Palette").first?.value(forKey: "colours") as? [String] == ["red", "blue"])
        guard kind.type == NSSQLiteStoreType else { return }
        // No archive, but the class's own form.
        let transformer = ValueTransformer(forName: .init("StoreContractTests.TextsTransformer"))
        #expect(transformer?.transformedValue(["a", "b"]) as? Data == Data("a,b".utf8))
    }
}

final class Palette: NSManagedObject {}

/// Lists of texts in a form of the program's own.
final class TextsTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [String]).map { Data($0.joined(separator: ",").utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self).split(separator: ",").map(String.init) }
    }
}
