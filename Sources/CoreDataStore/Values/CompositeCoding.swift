import CoreDataModeling

/// The form in which a slot holds the value of a composite attribute: the stored forms of its elements, one after another.
///
/// Elements are the attributes at the ends of the composite's tree, in the order of `leaves(of:)`. Each is a tag byte,
/// then nothing for null, eight bytes for an integer or real, or a length of eight bytes and the bytes of a text or blob.
/// The form lives in memory only: a store keeps each element in a column of its own.
package struct CompositeCoding {
    /// One element: the names that lead to it, and its attribute.
    package struct Leaf {
        package let path: [String]
        package let attribute: NSAttributeDescription
    }

    package private(set) var bytes: [UInt8] = []
    /// Whether every element so far is null, so that the composite is.
    package private(set) var isNull = true

    package init() {}

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

    /// The elements in a slot's bytes; what is cut off is left out.
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

    /// The elements of a composite attribute, depth first; a composite that contains itself ends after 2,000 steps.
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

    /// Puts a value where a path leads in a dictionary of dictionaries.
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

    /// The value where a path leads in a dictionary of dictionaries.
    package static func value(at path: [String], in dictionary: [String: Any]) -> Any? {
        path.reduce(dictionary as Any?) { ($0 as? [String: Any])?[$1] }
    }
}
