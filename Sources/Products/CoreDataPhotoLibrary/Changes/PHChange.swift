/// That a library has changed, with what; what was fetched before is still of the state before.
public struct PHChange: Sendable, Hashable {
    /// The identifiers of assets and albums that were added.
    public let insertedIdentifiers: Set<String>
    /// The identifiers of those that were changed.
    public let changedIdentifiers: Set<String>
    /// The identifiers of those that were deleted.
    public let deletedIdentifiers: Set<String>

    /// Whether an asset was changed or deleted.
    public func concerns(_ asset: PHAsset) -> Bool {
        changedIdentifiers.contains(asset.localIdentifier) || deletedIdentifiers.contains(asset.localIdentifier)
    }
}
