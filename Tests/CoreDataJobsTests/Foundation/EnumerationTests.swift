import Dispatch
import Foundation
import LockKit
import TestBasics
import Testing

@testable import CoreDataJobs

/// Elements of collections on several threads.
@Suite(.timeLimit(.minutes(2))) struct EnumerationTests {
    /// Sorts by as many parts as there are processors, at once, and then pairs of parts.
    private static func concurrentlySorted(_ numbers: [Int], parts count: Int) -> [Int] {
        var bounds = (0...count).map { numbers.count * $0 / count }
        let result = Shared(numbers)
        let parts = bounds
        DispatchQueue.concurrentPerform(iterations: count) { result.sort(parts[$0]..<parts[$0 + 1]) }
        while bounds.count > 2 {
            let (now, pairs) = (bounds, (bounds.count - 1) / 2)
            DispatchQueue.concurrentPerform(iterations: pairs) { pair in
                result.merge(now[2 * pair], now[2 * pair + 1], now[2 * pair + 2])
            }
            bounds = now.enumerated().filter { $0.offset % 2 == 0 || $0.offset == now.count - 1 }.map(\.element)
        }
        return result.numbers
    }

    /// Numbers of which each thread has a part of its own.
    private final class Shared: @unchecked Sendable {
        private let buffer: UnsafeMutableBufferPointer<Int>

        init(_ numbers: [Int]) {
            buffer = .allocate(capacity: numbers.count)
            _ = buffer.initialize(from: numbers)
        }

        deinit { buffer.deallocate() }

        var numbers: [Int] { Array(buffer) }

        func sort(_ range: Range<Int>) {
            var part = Array(buffer[range])
            part.sort()
            _ = UnsafeMutableBufferPointer(rebasing: buffer[range]).update(from: part)
        }

        func merge(_ begin: Int, _ middle: Int, _ end: Int) {
            let (one, other) = (Array(buffer[begin..<middle]), Array(buffer[middle..<end]))
            var (left, right) = (0, 0)
            for place in begin..<end {
                if right == other.count || left < one.count && one[left] <= other[right] {
                    (buffer[place], left) = (one[left], left + 1)
                } else {
                    (buffer[place], right) = (other[right], right + 1)
                }
            }
        }
    }

    @Test("a concurrent sort of 1,000,000 numbers equals the serial one (CONC-11)")
    func sort() {
        var random = SeededRandom(seed: TestSeed.first)
        let numbers = (0..<1_000_000).map { _ in random.next(below: 500_000) }
        #expect(Self.concurrentlySorted(numbers, parts: 5) == numbers.sorted())
    }

    @Test("Foundation's concurrent sort equals its serial one, and is stable if asked for (CONC-11)")
    func foundationSort() {
        var random = SeededRandom(seed: TestSeed.first)
        let numbers = NSArray(array: (0..<5_000).map { _ in NSNumber(value: random.next(below: 100)) })
        let compare: (Any, Any) -> ComparisonResult = { one, other in
            guard let one = one as? NSNumber, let other = other as? NSNumber else { return .orderedSame }
            return one.compare(other)
        }
        let serial = numbers.sortedArray(options: [], usingComparator: compare)
        let concurrent = numbers.sortedArray(options: .concurrent, usingComparator: compare)
        let stable = numbers.sortedArray(options: [.concurrent, .stable], usingComparator: compare)
        #expect(NSArray(array: serial).isEqual(to: concurrent) && NSArray(array: serial).isEqual(to: stable))
    }

    @Test("a concurrent enumeration sees all elements once, and shared results need a lock (CONC-11)")
    func enumeration() {
        let results = Locked<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 10_000) { number in results.withLock { $0.append(number * 2) } }
        #expect(results.withLock { $0.sorted() } == (0..<10_000).map { $0 * 2 })
    }

    @Test("Foundation's concurrent enumeration sees all elements once, here on one thread and in order (CONC-11)")
    func foundationEnumeration() {
        let seen = Locked((places: [Int](), threads: Set<UInt>()))
        let array = NSArray(array: (0..<2_000).map { NSNumber(value: $0) })
        array.enumerateObjects(options: .concurrent) { _, place, _ in
            seen.withLock {
                $0.places.append(place)
                $0.threads.insert(UInt(pthread_self()))
            }
        }
        // Apple's uses several threads, and then has no order.
        #expect(seen.withLock { $0.places == Array(0..<2_000) && $0.threads.count == 1 })
        let stopped = Counter()
        array.enumerateObjects(options: .concurrent) { _, place, stop in
            stopped.add()
            if place == 10 { stop.pointee = true }
        }
        #expect(stopped.value == 11)
    }
}
