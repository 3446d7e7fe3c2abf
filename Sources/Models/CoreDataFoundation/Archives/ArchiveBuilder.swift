/// Builds a keyed archive object by object, so that objects may point at each other; equal steps give equal bytes.
///
/// An object that others point at before it is complete is reserved first and defined later.
/// Source of the layout and the class names: archives of `NSKeyedArchiver`, version 100000.
package struct ArchiveBuilder {
    /// The archive's nil.
    package static let null = PropertyList.uid(0)

    private var objects: [PropertyList] = [.string("$null")]
    private var texts: [String: PropertyList] = [:]
    private var numbers: [Int64: PropertyList] = [:]
    private var classes: [String: PropertyList] = [:]
    private var sharedObjects: [String: PropertyList] = [:]

    /// The number of objects so far.
    var count: Int { objects.count }

    package init() {}

    /// The archive with an object at its root.
    package func data(root: PropertyList) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary(["root": root]),
        ]).binaryData
    }

    // MARK: Objects

    /// A reference to an object that is defined later.
    package mutating func reserve() -> PropertyList { append(.null) }

    /// Gives a reserved object its class and fields.
    package mutating func define(_ place: PropertyList, className: String, fields: [String: PropertyList]) {
        guard case .uid(let index) = place else { return }
        objects[index] = .dictionary(fields.merging(["$class": reference(toClass: className)]) { _, own in own })
    }

    package mutating func add(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        let place = reserve()
        define(place, className: className, fields: fields)
        return place
    }

    /// The one object of a class, added at its first use.
    mutating func shared(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        if let known = sharedObjects[className] { return known }
        let place = add(className, fields)
        sharedObjects[className] = place
        return place
    }

    /// A text, kept once however often it occurs; the archive's nil for nil.
    package mutating func text(_ text: String?) -> PropertyList {
        guard let text else { return Self.null }
        if let known = texts[text] { return known }
        // The archive's own word for nil cannot stand as a plain text.
        let place = text == "$null" ? add("NSMutableString", ["NS.string": .string(text)]) : append(.string(text))
        texts[text] = place
        return place
    }

    package mutating func integer(_ number: Int64) -> PropertyList {
        if let known = numbers[number] { return known }
        let place = append(.integer(number))
        numbers[number] = place
        return place
    }

    /// A value that a property list knows, as an object of its own.
    package mutating func append(_ value: PropertyList) -> PropertyList {
        objects.append(value)
        return .uid(objects.count - 1)
    }

    package mutating func collection(_ className: String, _ elements: [PropertyList]) -> PropertyList {
        add(className, ["NS.objects": .array(elements)])
    }

    package mutating func dictionary(_ className: String, _ pairs: [(key: PropertyList, value: PropertyList)])
        -> PropertyList
    {
        add(className, ["NS.keys": .array(pairs.map(\.key)), "NS.objects": .array(pairs.map(\.value))])
    }

    // MARK: Classes

    private mutating func reference(toClass name: String) -> PropertyList {
        if let known = classes[name] { return known }
        let line = ArchivedClasses.line(of: name).map { PropertyList.string($0) }
        let place = append(.dictionary(["$classname": .string(name), "$classes": .array(line)]))
        classes[name] = place
        return place
    }
}
