import CoreDataGraph

/// A single value of an attribute that the model's rules allow, for objects that tests build.
package enum SampleAttribute {
    /// An ordinary value, without edge cases: that of a number differs from those of other numbers if the rules allow
    /// enough of them, and is the same in each run. Returns nil if no value was found.
    package static func value(of attribute: NSAttributeDescription, number: Int) -> Any? {
        var random = SampleRandom(seed: UInt64(truncatingIfNeeded: number) &+ 0x5EED)
        return SampleValues(attribute).distinctValue(number, &random)
    }
}
