/// The parameters and results of an ``IdentityStore`` and an ``AttemptStore``; the service returns a few of them.
public enum Store {}

// Short names of the store's types that are used most, for use inside the package.
typealias AttemptKey = Store.AttemptKey
typealias AttemptRecord = Store.AttemptRecord
package typealias OneTimeRecord = Store.OneTimeRecord
package typealias OneTimeRecordChange = Store.OneTimeRecordChange
package typealias ChangeSet = Store.ChangeSet
typealias Intent = Store.Authorization.Intent
package typealias KeyChange = Store.KeyChange
package typealias KeyRule = Store.KeyRule
package typealias Lookup = Store.Lookup
package typealias Lookups = Store.Lookups
package typealias EmailReference = Store.EmailReference
typealias MergeIntent = Store.MergeIntent
package typealias OperationID = Store.OperationID
package typealias OutboxEntry = Store.OutboxEntry
package typealias Snapshot = Store.Snapshot
typealias StoredRecord = Store.StoredRecord
package typealias UniqueKey = Store.UniqueKey
