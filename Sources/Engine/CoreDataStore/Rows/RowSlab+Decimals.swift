extension RowSlab {
    /// Rounds the decimals of a row that is being filled as `KeptDecimal` does.
    package func keepDecimals(ofRow index: Int) {
        for slot in layout.decimalSlots {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { continue }
            switch (kind, tag(index, slot)) {
            case (.decimal, RowTag.text):
                guard let kept = KeptDecimal(text: String(decoding: bytes(index, slot), as: UTF8.self)) else {
                    continue
                }
                set(kept.tag, kept.bits, row: row(index), slot: slot)
            case (.composite, RowTag.blob):
                let coding = CompositeCoding(keepingDecimalsOf: bytes(index, slot), attribute)
                coding.bytes.withUnsafeBytes { set(RowTag.blob, append($0), row: row(index), slot: slot) }
            default: continue
            }
        }
    }
}

extension CompositeCoding {
    /// A copy of the encoded elements, with decimals rounded as `KeptDecimal` does.
    fileprivate init(keepingDecimalsOf bytes: UnsafeRawBufferPointer, _ composite: NSAttributeDescription) {
        self.init()
        for (element, leaf) in zip(Self.elements(in: bytes), Self.leaves(of: composite)) {
            if leaf.attribute.attributeType == .decimalAttributeType, element.tag == RowTag.text,
                let kept = KeptDecimal(text: String(decoding: element.bytes, as: UTF8.self))
            {
                append(kept.tag, bits: kept.bits)
            } else if element.tag == RowTag.text || element.tag == RowTag.blob {
                append(element.tag, bytes: element.bytes)
            } else {
                append(element.tag, bits: element.bits)
            }
        }
    }
}
