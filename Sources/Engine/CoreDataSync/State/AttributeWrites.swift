/// The values of an object's attributes that no applied write replaced, in one list; several of an attribute if they were written
/// without knowledge of each other.
package struct AttributeWrites: Hashable, Sendable {
    package struct Element: Hashable, Sendable {
        package let attribute: SchemaID
        package let write: Write
    }

    /// By attribute; those of one attribute in the order in which they were applied.
    private(set) var elements: [Element] = []

    init() {}

    /// Elements that are in the order of their attributes.
    init(sorted elements: [Element]) { self.elements = elements }

    /// How many attributes have writes.
    var attributeCount: Int {
        var count = 0
        for index in elements.indices where index == 0 || elements[index - 1].attribute != elements[index].attribute {
            count += 1
        }
        return count
    }

    /// The writes of an attribute; none if there is no value.
    package subscript(attribute: SchemaID) -> ArraySlice<Element> {
        let first = firstIndex(from: attribute)
        var end = first
        while end < elements.count, elements[end].attribute == attribute { end += 1 }
        return elements[first..<end]
    }

    /// Removes the writes of an attribute that others replace, and adds one.
    mutating func replace(_ attribute: SchemaID, keeping isKept: (Write) -> Bool, with write: Write?) {
        var index = firstIndex(from: attribute)
        var write = write
        while index < elements.count, elements[index].attribute == attribute {
            if isKept(elements[index].write) {
                index += 1
            } else if let new = write, index + 1 == elements.count || elements[index + 1].attribute != attribute {
                elements[index] = Element(attribute: attribute, write: new)
                write = nil
                index += 1
            } else {
                elements.remove(at: index)
            }
        }
        if let write { elements.insert(Element(attribute: attribute, write: write), at: index) }
    }

    /// The index of the first element of an attribute, or where it would be.
    private func firstIndex(from attribute: SchemaID) -> Int {
        if let last = elements.last, last.attribute < attribute { return elements.count }
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].attribute < attribute { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
