extension Schema {
    /// Indexes of a model class.
    public struct Index<T: PersistentModel>: SchemaAnnotation {
        /// An index: its kind and the properties it is over.
        public enum Types<P: PersistentModel> {
            /// An index of a B-tree.
            case binary([PartialKeyPath<P>])
            /// An index of an R-tree, for coordinates.
            case rtree([PartialKeyPath<P>])
        }

        /// The indexes, each with the key paths of its properties.
        public let indices: [Types<T>]

        /// Declares indexes, each over a list of properties.
        public init(_ indices: [PartialKeyPath<T>]...) { self.indices = indices.map(Types.binary) }

        /// Declares indexes of given kinds.
        public init(_ indices: Types<T>...) { self.indices = indices }
    }

    /// Groups of properties whose values together are unique.
    public struct Unique<T: PersistentModel>: SchemaAnnotation {
        /// The constraints, each with the key paths of its properties.
        public let constraints: [[PartialKeyPath<T>]]

        /// Declares groups, each a list of properties.
        public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }
    }
}

/// What an annotation declares, without the type of its model.
protocol DeclaredAnnotation {
    var declaredIndexes: [(isTree: Bool, paths: [AnyKeyPath])] { get }
    var declaredConstraints: [[AnyKeyPath]] { get }
}

extension Schema.Index: DeclaredAnnotation {
    var declaredIndexes: [(isTree: Bool, paths: [AnyKeyPath])] {
        indices.map {
            switch $0 {
            case .binary(let paths): (false, paths)
            case .rtree(let paths): (true, paths)
            }
        }
    }
    var declaredConstraints: [[AnyKeyPath]] { [] }
}

extension Schema.Unique: DeclaredAnnotation {
    var declaredIndexes: [(isTree: Bool, paths: [AnyKeyPath])] { [] }
    var declaredConstraints: [[AnyKeyPath]] { constraints }
}
