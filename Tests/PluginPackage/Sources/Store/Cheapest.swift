import CoreData
import Foundation

/// The least price, with a type that Foundation has too in a public place.
public func cheapest() -> NSExpression {
    NSExpression(forFunction: "min:", arguments: [NSExpression(forKeyPath: "price")])
}
