/// Builds a keyed archive object by object; the same sequence of calls gives the same bytes.
///
/// For an object to which others refer before its fields are known, call `reserve()` first and `define` later.
/// Source of the layout and the class names: archives of `NSKeyedArchiver`, version 100000.
package struct ArchiveBuilder {
    /// The reference that means nil: object 0.
    package static let null = PropertyList.uid(0)

    private var objects: [PropertyList] = [.string("$null")]
    private var texts: [String: PropertyList] = [:]
    private var numbers: [Int64: PropertyList] = [:]
    private var classes: [String: PropertyList] = [:]
    private var sharedObjects: [String: PropertyList] = [:]

    /// The number of objects so far.
    var count: Int { objects.count }

    package init() {}

    /// Returns the bytes of the archive, with an object as its root.
    package func data(root: PropertyList) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary(["root": root]),
        ]).binaryData
    }

    // MARK: Objects

    /// Reserves a place for an object and returns a reference to it; `define` sets the object later.
    package mutating func reserve() -> PropertyList { append(.null) }

    /// Sets the class and the fields of a reserved object.
    package mutating func define(_ place: PropertyList, className: String, fields: [String: PropertyList]) {
        guard case .uid(let index) = place else { return }
        objects[index] = .dictionary(fields.merging(["$class": reference(toClass: className)]) { _, own in own })
    }

    package mutating func add(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        let place = reserve()
        define(place, className: className, fields: fields)
        return place
    }

    /// Adds an object of a class at the first call; later calls return that object and ignore their fields.
    mutating func shared(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        if let known = sharedObjects[className] { return known }
        let place = add(className, fields)
        sharedObjects[className] = place
        return place
    }

    /// Adds a text, unless it was added before, and returns a reference to it; `null` for nil.
    package mutating func text(_ text: String?) -> PropertyList {
        guard let text else { return Self.null }
        if let known = texts[text] { return known }
        // A reader would take the plain text "$null" for nil.
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

    /// Adds a property list value as an object of its own and returns a reference to it.
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
