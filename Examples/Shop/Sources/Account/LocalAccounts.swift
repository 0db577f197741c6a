import Registry
import ShopAPI

@ExportService(AccountService.self, scope: .shared)
actor LocalAccounts: AccountService {
  private var visits = 0

  func logIn(_ name: String) -> User {
    visits += 1
    return User(name: name)
  }
}
