import CoreDataModeling

extension ValueTable {
    /// A dictionary for each row, without the keys whose values are nil.
    ///
    /// The keys are the same objects in all of them.
    func dictionaries(_ names: [String]) -> [NSDictionary] {
        guard names.count == width else { return [] }
        let keys = names.map { NSString(string: $0) as NSObject }
        var dictionaries: [NSDictionary] = []
        dictionaries.reserveCapacity(count)
        withUnsafeTemporaryAllocation(of: NSObject.self, capacity: width) { present in
            withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: width) { values in
                for start in stride(from: 0, to: cells.count, by: width) {
                    var filled = 0
                    for column in 0..<width {
                        guard let value = cells[start + column] else { continue }
                        present.initializeElement(at: filled, to: keys[column])
                        values.initializeElement(at: filled, to: value)
                        filled += 1
                    }
                    dictionaries.append(
                        NSDictionary(objects: values.baseAddress, forKeys: present.baseAddress, count: filled))
                    present[..<filled].deinitialize()
                    values[..<filled].deinitialize()
                }
            }
        }
        return dictionaries
    }
}
