extension DerivedCell {
    /// The null value.
    package static let null = DerivedCell(
        StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0)))

    /// The encoded value of a composite attribute, made of its elements in order; null if all of them are null.
    package init(elements: [DerivedCell]) {
        var coding = CompositeCoding()
        for element in elements { coding.append(element) }
        self =
            coding.isNull
            ? .null
            : coding.bytes.withUnsafeBytes { DerivedCell(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0)) }
    }
}
