import CoreDataModeling

/// The encoding of a composite attribute's value in a slot: the encoded elements, one after another.
///
/// Elements are the leaves of the composite's tree, in the order of `leaves(of:)`. Each is encoded as a tag byte,
/// followed by nothing for null, by eight bytes for an integer or real, or by a length of eight bytes and the bytes of
/// a text or blob. The encoding is used in memory only: a store has a column for each element.
package struct CompositeCoding {
    /// An element: the names of the attributes on the path to it, and its description.
    package struct Leaf {
        package let path: [String]
        package let attribute: NSAttributeDescription
    }

    package private(set) var bytes: [UInt8] = []
    /// Whether all elements so far are null; the composite is then null too.
    package private(set) var isNull = true

    package init() {}

    /// Copies the elements of an encoded value, replacing those at the indexes in `cells`.
    package init(_ value: StoredValue, of attribute: NSAttributeDescription, replacing cells: [Int: DerivedCell]) {
        let elements = value.tag == RowTag.blob ? Self.elements(in: value.bytes) : []
        for place in Self.leaves(of: attribute).indices {
            if let cell = cells[place] {
                append(cell)
            } else if place < elements.count {
                append(elements[place])
            } else {
                append(RowTag.null, bits: 0)
            }
        }
    }

    /// Appends an element.
    package mutating func append(_ cell: DerivedCell) {
        guard cell.tag == RowTag.text || cell.tag == RowTag.blob else { return append(cell.tag, bits: cell.bits) }
        cell.bytes.withUnsafeBytes { append(cell.tag, bytes: $0) }
    }

    private mutating func append(_ element: StoredValue) {
        guard element.tag == RowTag.text || element.tag == RowTag.blob else {
            return append(element.tag, bits: element.bits)
        }
        append(element.tag, bytes: element.bytes)
    }

    package mutating func append(_ tag: UInt8, bits: UInt64) {
        bytes.append(tag)
        guard tag != RowTag.null else { return }
        isNull = false
        withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ tag: UInt8, bytes value: UnsafeRawBufferPointer) {
        append(tag, bits: UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Decodes the elements; an incomplete element at the end is left out.
    package static func elements(in bytes: UnsafeRawBufferPointer) -> [StoredValue] {
        var elements: [StoredValue] = []
        var place = 0
        while place < bytes.count {
            let tag = bytes[place]
            place += 1
            var bits: UInt64 = 0
            var value = UnsafeRawBufferPointer(start: nil, count: 0)
            if tag != RowTag.null {
                guard bytes.count - place >= 8 else { return elements }
                bits = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                place += 8
            }
            if tag == RowTag.text || tag == RowTag.blob {
                guard let count = Int(exactly: bits), count <= bytes.count - place else { return elements }
                value = UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
                place += count
            }
            elements.append(StoredValue(tag: tag, bits: bits, bytes: value))
        }
        return elements
    }

    /// The elements of a composite attribute, depth first. Stops after 2,000 steps, since a composite may contain
    /// itself.
    package static func leaves(of attribute: NSAttributeDescription) -> [Leaf] {
        var leaves: [Leaf] = []
        var open = [Leaf(path: [], attribute: attribute)]
        var steps = 0
        while let next = open.popLast(), steps < 2_000 {
            steps += 1
            guard let composite = next.attribute as? NSCompositeAttributeDescription else {
                leaves.append(next)
                continue
            }
            open += composite.elements.reversed().map { Leaf(path: next.path + [$0.name], attribute: $0) }
        }
        return leaves
    }

    /// The index of the element at a path, among the elements of a composite attribute; nil if there is none.
    package static func place(of path: [String], in attribute: NSPropertyDescription) -> Int? {
        (attribute as? NSCompositeAttributeDescription).flatMap { leaves(of: $0).firstIndex { $0.path == path } }
    }

    /// Sets the value at a path in nested dictionaries.
    package static func set(_ value: Any, at path: ArraySlice<String>, in dictionary: inout [String: Any]) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            dictionary[name] = value
            return
        }
        var inner = dictionary[name] as? [String: Any] ?? [:]
        set(value, at: path.dropFirst(), in: &inner)
        dictionary[name] = inner
    }

    /// The dictionary of a composite attribute without `NSNull` values and without empty nested composites.
    package static func compacted(_ dictionary: [String: Any], of attribute: NSAttributeDescription) -> [String: Any] {
        let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
        var result = dictionary.filter { !($0.value is NSNull) }
        for element in elements where element is NSCompositeAttributeDescription {
            guard let inner = result[element.name] as? [String: Any] else { continue }
            let kept = compacted(inner, of: element)
            result[element.name] = kept.isEmpty ? nil : kept
        }
        return result
    }

    /// The value at a path in nested dictionaries.
    package static func value(at path: [String], in dictionary: [String: Any]) -> Any? {
        path.reduce(dictionary as Any?) { ($0 as? [String: Any])?[$1] }
    }
}
