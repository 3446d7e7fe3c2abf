import CoreDataModeling

/// Up to a thousand rows of one entity in one piece of memory, immutable once a store has handed it over.
///
/// A row is: key (8 bytes), version (8), a tag byte for each slot padded to 8, then 8 bytes for each slot. An integer
/// or real is in the slot itself; of a text or blob the slot holds offset (low 32 bits) and length (high 32 bits) in
/// the slab's heap.
///
/// Invariants:
/// 1. Every offset and length in a slot was written by `append(_:)` of the same slab and lies inside the heap.
/// 2. Only the store that fills a slab changes it, before it is shared.
/// 3. The row cache refers to a slab without owning it; `deinit` withdraws the slab's rows first.
@usableFromInline
package final class RowSlab: @unchecked Sendable {
    @inlinable package static var mostRows: Int { 1000 }
    /// A slab whose texts and blobs are over this size takes no more rows, so that one retained row retains little else.
    @inlinable package static var mostHeap: Int { 256 * 1024 }

    @usableFromInline package let binding: EntityBinding
    /// How many slots a row has.
    package let storedCount: Int
    // The accesses are single loads and stores by the one thread that fills the slab.
    @usableFromInline @exclusivity(unchecked) package internal(set) var count = 0
    @usableFromInline @exclusivity(unchecked) var capacity: Int
    @usableFromInline let stride: Int
    @usableFromInline let tagBytes: Int
    @usableFromInline let valuesOffset: Int
    @usableFromInline @exclusivity(unchecked) var rows: UnsafeMutableRawPointer
    @usableFromInline @exclusivity(unchecked) var heap: UnsafeMutableRawPointer?
    @usableFromInline @exclusivity(unchecked) var heapCount = 0
    @exclusivity(unchecked) private var heapCapacity = 0
    /// The observer to notify when the slab is released, since it refers to its rows.
    package var cache: (any SlabWatching)?
    /// Whether a save of the cache's coordinator wrote the rows. Used under the cache's lock.
    @exclusivity(unchecked) package var isWritten = false
    /// Whether the rows are those that a save left, as opposed to rows that were read. Used under the cache's lock.
    @exclusivity(unchecked) package var isOfChange = false
    /// What the cache calls the slab; 0 for one that it does not have. Used under the cache's lock.
    @exclusivity(unchecked) package var cacheNumber = 0
    /// The values of slots with the tag `held`, by the number in their eight bytes.
    @exclusivity(unchecked) fileprivate var heldValues: ContiguousArray<Any> = []
    /// When the rows were read, by the clock of the cache; set when the slab is published.
    @exclusivity(unchecked) package var readTime: UInt64 = 0

    package init(binding: EntityBinding, capacity: Int) {
        self.binding = binding
        self.capacity = max(1, min(capacity, Self.mostRows))
        storedCount = binding.layout.storedCount
        stride = binding.layout.rowStride
        valuesOffset = binding.layout.valuesOffset
        tagBytes = valuesOffset - EntityLayout.tagsOffset
        rows = .allocate(byteCount: self.capacity * stride, alignment: 8)
    }

    deinit {
        cache?.withdraw(self)
        rows.deallocate()
        free(heap)
    }

    @inlinable package var layout: EntityLayout { binding.layout }

    /// The bytes of all texts and blobs.
    package var heapSize: Int { heapCount }

    /// Whether another row may be added.
    @inlinable package var isFull: Bool { count == Self.mostRows || heapCount > Self.mostHeap }

    /// Adds a row whose tags are all null and returns where it starts. The slab must not be full.
    @inlinable package func appendRow(key: Int64, version: Int64) -> UnsafeMutableRawPointer {
        if count == capacity { grow() }
        let row = rows + count * stride
        count += 1
        row.storeBytes(of: key, as: Int64.self)
        row.storeBytes(of: version, toByteOffset: 8, as: Int64.self)
        // Tags fill whole words (`EntityLayout.valuesOffset`), mostly one or two.
        for offset in Swift.stride(from: 0, to: tagBytes, by: 8) {
            row.storeBytes(of: 0, toByteOffset: EntityLayout.tagsOffset + offset, as: UInt64.self)
        }
        return row
    }

    /// Takes back the row that was added last; bytes that it put into the heap stay there unused.
    package func removeLastRow() { count -= 1 }

    /// Copies bytes into the heap and returns what the slot holds for them.
    package func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let offset = heapCount
        reserveHeap(bytes.count)
        if let heap, let base = bytes.baseAddress { (heap + offset).copyMemory(from: base, byteCount: bytes.count) }
        heapCount += bytes.count
        return UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: bytes.count) << 32
    }

    @usableFromInline func grow() {
        let wanted = min(Self.mostRows, max(32, capacity * 4))
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted * stride, alignment: 8)
        larger.copyMemory(from: rows, byteCount: count * stride)
        rows.deallocate()
        rows = larger
        capacity = wanted
    }

    private func reserveHeap(_ additional: Int) {
        guard heapCount + additional > heapCapacity || heap == nil else { return }
        heapCapacity = max(heapCount + additional, heapCapacity * 2, 64)
        heap = realloc(heap, heapCapacity)
    }
}

extension RowSlab {
    @inlinable package func row(_ index: Int) -> UnsafeMutableRawPointer { rows + index * stride }

    @inlinable package func key(_ index: Int) -> Int64 { row(index).load(as: Int64.self) }

    @inlinable package func version(_ index: Int) -> Int64 { row(index).load(fromByteOffset: 8, as: Int64.self) }

    @inlinable package func tag(_ index: Int, _ slot: Int) -> UInt8 {
        row(index).load(fromByteOffset: EntityLayout.tagsOffset + slot, as: UInt8.self)
    }

    @inlinable package func bits(_ index: Int, _ slot: Int) -> UInt64 {
        row(index).load(fromByteOffset: valuesOffset + slot * 8, as: UInt64.self)
    }

    @inlinable package func integer(_ index: Int, _ slot: Int) -> Int64 { Int64(bitPattern: bits(index, slot)) }

    @inlinable package func real(_ index: Int, _ slot: Int) -> Double { Double(bitPattern: bits(index, slot)) }

    /// The bytes of a text or blob; valid while the slab lives.
    @inlinable package func bytes(_ index: Int, _ slot: Int) -> UnsafeRawBufferPointer { bytes(bits(index, slot)) }

    /// The bytes that the eight bytes of a slot stand for.
    @inlinable package func bytes(_ packed: UInt64) -> UnsafeRawBufferPointer {
        guard let heap else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: heap + Int(packed & 0xFFFF_FFFF), count: Int(packed >> 32))
    }

    /// The value of a slot with the tag `held`; nil for another tag.
    package func held(_ index: Int, _ slot: Int) -> Any? {
        tag(index, slot) == RowTag.held ? heldValues[Int(integer(index, slot))] : nil
    }

    /// Makes a slot of a row that is being filled stand for a value of Foundation's type, or for a `RowAddress`.
    package func hold(_ value: Any, row: UnsafeMutableRawPointer, slot: Int) {
        heldValues.append(value)
        set(RowTag.held, UInt64(heldValues.count - 1), row: row, slot: slot)
    }

    /// Whether a slot of a row has the value that another slab's row has there.
    ///
    /// A value of another form, such as a decimal once as text and once as a number, counts as another one.
    package func hasSameValue(_ index: Int, as other: RowSlab, _ otherIndex: Int, slot: Int) -> Bool {
        let tag = tag(index, slot)
        guard tag == other.tag(otherIndex, slot) else { return false }
        switch tag {
        case RowTag.null: return true
        case RowTag.text, RowTag.blob: return bytes(index, slot).elementsEqual(other.bytes(otherIndex, slot))
        case RowTag.held: return Self.isSame(held(index, slot), other.held(otherIndex, slot))
        default: return bits(index, slot) == other.bits(otherIndex, slot)
        }
    }

    private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
        switch (one, other) {
        case (let one as RowAddress, let other as RowAddress):
            one.key == other.key && one.binding.table == other.binding.table
        case (nil, _), (_, nil): false
        default: StoredEquality.areEqual(one, other)
        }
    }

    /// Writes tag and bits of one slot of a row that is being filled.
    @inlinable package func set(_ tag: UInt8, _ bits: UInt64, row: UnsafeMutableRawPointer, slot: Int) {
        row.storeBytes(of: tag, toByteOffset: EntityLayout.tagsOffset + slot, as: UInt8.self)
        row.storeBytes(of: bits, toByteOffset: valuesOffset + slot * 8, as: UInt64.self)
    }
}

/// Refers to the rows of slabs without owning them.
package protocol SlabWatching: AnyObject {
    /// Forgets the rows of a slab that is going.
    func withdraw(_ slab: RowSlab)
}

/// Rows that follow each other in one slab, as part of an ordered result.
package struct RowRun: Sendable {
    package let slab: RowSlab
    package let range: Range<Int>

    package init(slab: RowSlab, range: Range<Int>) {
        self.slab = slab
        self.range = range
    }
}

extension [RowRun] {
    /// How many rows the runs have together.
    package var rowCount: Int { reduce(0) { $0 + $1.range.count } }
}

/// One row of a slab, which it retains.
package struct RowSnapshot: Sendable {
    package let slab: RowSlab
    package let index: Int

    package init(slab: RowSlab, index: Int) {
        self.slab = slab
        self.index = index
    }

    package var key: Int64 { slab.key(index) }
    package var version: Int64 { slab.version(index) }
    package var address: RowAddress { RowAddress(binding: slab.binding, key: key) }
}
